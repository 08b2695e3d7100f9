package dev.stoker.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a container gets its name where another one has it: the old one or the new one is there, whatever happens. */
class PartialFilesTest {
    @TempDir
    Path folder;

    private PartialFiles files() {
        return new PartialFiles(folder.resolve("out"));
    }

    /** Files by their names, each with what it holds. */
    private void make(String... files) {
        for (String file : files) {
            String[] parts = file.split("=", -1);
            Scratch.write(folder.resolve(parts[0]), parts[1].getBytes(StandardCharsets.UTF_8));
        }
    }

    private Map<String, String> found() throws IOException {
        var found = new TreeMap<String, String>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                found.put(folder.relativize(file).toString(), Files.readString(file));
            }
        }
        return found;
    }

    @Test
    void aFolderIsReplaced() throws IOException {
        make("out/a=old", "out.stkx=old", "out.partial/b=new", "out.stkx.partial=new", "out.partial.journal=");
        files().rename(true, true);
        assertThat(found()).isEqualTo(Map.of("out/b", "new", "out.stkx", "new"));
    }

    @Test
    void theSidecarOfWhatIsReplacedGoesWithIt() throws IOException {
        make("out/a=old", "out.stkx=old", "out.partial/b=new", "out.stkx.partial=new");
        files().rename(false, false);
        assertThat(found()).isEqualTo(Map.of("out/b", "new"));
    }

    /** The container cannot be moved, here because there is none. */
    @ParameterizedTest
    @ValueSource(strings = {"out/a", "out"})
    void afterAFailureAllIsAsItWas(String old) throws IOException {
        make(old + "=old", "out.stkx=old", "out.stkx.partial=new");
        assertThatThrownBy(() -> files().rename(true, false))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("out] cannot be written");
        assertThat(found()).isEqualTo(Map.of(old, "old", "out.stkx", "old", "out.stkx.partial", "new"));
    }

    @Test
    void afterAFailureNoSidecarIsLeftUnderItsName() throws IOException {
        make("out.stkx.partial=new");
        assertThatThrownBy(() -> files().rename(true, false)).isInstanceOf(StokerException.class);
        assertThat(found()).isEqualTo(Map.of("out.stkx.partial", "new"));
    }

    @Test
    void whoGoesOnAfterAKillEndsIt() throws IOException {
        make("out.partial.old/a=old", "out.stkx.partial.old=old", "out.stkx=new", "out.stkx.partial=new");
        make("out.partial/b=new", "out.partial.journal=");
        files().rename(true, false);
        assertThat(found()).isEqualTo(Map.of("out/b", "new", "out.stkx", "new"));
    }

    @Test
    void whoBeginsAnewAfterAKillHasTheOldOneBack() throws IOException {
        make("out.partial.old/a=old", "out.stkx.partial.old=old", "out.stkx=new", "out.partial/b=new");
        files().delete();
        assertThat(found()).isEqualTo(Map.of("out/a", "old", "out.stkx", "old"));
    }

    @Test
    void whatWasReplacedIsNotTakenForAnInterruptedOne() throws IOException {
        make("out.partial.old/a=old", "out.stkx.partial.old=old", "out.stkx=new", "out/b=new");
        files().delete();
        assertThat(found()).isEqualTo(Map.of("out/b", "new", "out.stkx", "new"));
    }
}

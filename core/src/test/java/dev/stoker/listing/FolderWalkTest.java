package dev.stoker.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import dev.stoker.TestSeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderWalkTest {
    @TempDir
    Path folder;

    private Scratch scratch;

    @BeforeEach
    void begin() {
        scratch = new Scratch(folder);
    }

    private List<String> walk() {
        try (ListedValues names = FolderWalk.walk(scratch.src(), 3, BadFilePolicy.refused())) {
            var found = new ArrayList<String>();
            for (long i = 0; i < names.count(); i++) {
                found.add(new String(names.get(i), StandardCharsets.UTF_8));
            }
            return found;
        }
    }

    /** A folder's files come where its whole path sorts, which is not where its name does. */
    @Test
    void pathsAreInBytewiseOrder() {
        for (String name : new String[] {"a/b", "a.b", "a0", "a-/x", "a", "B", "ä", "z", "\u00ff/1", "\uffff", "🦊"}) {
            if (!name.equals("a")) {
                scratch.file(name, "");
            }
        }
        assertThat(walk()).containsExactly("B", "a-/x", "a.b", "a/b", "a0", "z", "ä", "\u00ff/1", "\uffff", "🦊");
    }

    @Test
    void randomTreesAreInBytewiseOrder() {
        RandomGenerator random = TestSeed.random("FolderWalkTest");
        var expected = new TreeSet<String>((a, b) ->
                Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
        for (int i = 0; i < 300; i++) {
            var path = new StringBuilder();
            for (int depth = random.nextInt(4); depth > 0; depth--) {
                path.append(name(random)).append("_/");
            }
            path.append(name(random));
            scratch.file(path.toString(), "");
            expected.add(path.toString());
        }
        assertThat(walk()).containsExactlyElementsOf(expected);
    }

    private static String name(RandomGenerator random) {
        String[] parts = {"a", "B", "0", ".", "-", " ", "\n", "ß", "数", "🚂", "'", "\\", "!", "~"};
        var name = new StringBuilder("x");
        for (int n = random.nextInt(3); n > 0; n--) {
            name.append(parts[random.nextInt(parts.length)]);
        }
        return name.toString();
    }

    @Test
    void aNameThatIsNotUtf8IsRefused() throws Exception {
        scratch.file("a/good", "");
        shell("printf x > \"$(printf 'a/b\\377d')\"");
        assertThatThrownBy(this::walk)
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + scratch.src()
                        + "] the name 'a/bÿd' is not UTF-8 (shown as Latin-1); rename it, for example with convmv");
    }

    @Test
    void aPipeIsRefusedAlsoBehindALink() throws Exception {
        scratch.file("a/good", "");
        shell("mkfifo a/pipe");
        assertThatThrownBy(this::walk).isInstanceOf(StokerException.class).hasMessage(pipe("a/pipe"));
        shell("mv a/pipe ../pipe && ln -s ../../pipe a/link");
        assertThatThrownBy(this::walk).isInstanceOf(StokerException.class).hasMessage(pipe("a/link"));
    }

    private String pipe(String name) {
        return "[" + scratch.src().resolve(name)
                + "] is neither a file nor a folder (a socket, pipe or device); take it out of the source";
    }

    @Test
    void linksThatLeadToEachOtherAreRefused() throws Exception {
        scratch.file("a/1", "");
        scratch.file("b/2", "");
        shell("ln -s ../b a/x && ln -s ../a b/y");
        assertThatThrownBy(this::walk)
                .isInstanceOf(StokerException.class)
                .hasMessageEndingWith("is a symbolic link to a folder above itself");
        shell("rm a/x b/y && ln -s me a/me");
        assertThatThrownBy(this::walk)
                .isInstanceOf(StokerException.class)
                .hasMessageStartingWith("[" + scratch.src().resolve("a/me") + "] cannot be read: ");
    }

    @Test
    void aFolderMayBeSeenTwiceThroughLinks() throws Exception {
        scratch.file("a/deep/1", "");
        shell("ln -s a b && ln -s a/deep c");
        assertThat(walk()).containsExactly("a/deep/1", "b/deep/1", "c/1");
    }

    @Test
    void foldersMayNotBeNestedWithoutEnd() throws Exception {
        scratch.file("x/".repeat(256) + "deep", "");
        assertThat(walk()).hasSize(1);
        scratch.file("x/".repeat(257) + "deeper", "");
        assertThatThrownBy(this::walk)
                .isInstanceOf(StokerException.class)
                .hasMessageEndingWith("folders are nested deeper than 256");
    }

    private void shell(String script) throws IOException, InterruptedException {
        Files.createDirectories(scratch.src());
        Process process = new ProcessBuilder("sh", "-c", script)
                .directory(scratch.src().toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}

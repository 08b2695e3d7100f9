package dev.stoker.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.stage.copy.StagedForm;
import dev.stoker.stage.node.ProcessHome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left when a {@code stoker run} was killed: its file in {@code users} is there, and nobody holds it. */
class CleanupWatcherTest {
    private static final String USER = "killed";

    @TempDir
    Path temp;

    private StagingPlace place;

    @BeforeEach
    void makePlace() throws IOException {
        place = StagingPlace.at(Files.createDirectory(temp.resolve("place")));
    }

    /** A folder that nobody holds any more. */
    private Path folder(String source, String owner) throws IOException {
        var note = new StagedNote(source, StagedForm.FILE, "identity", "job", owner, ProcessHome.current(), "data/x");
        StagedFolder made = StagedFolder.create(place, note, true);
        made.leave();
        Files.delete(made.path().resolve("keep"));
        Files.createFile(made.path().resolve("users").resolve(USER));
        Files.writeString(made.path().resolve("data/x"), "bytes");
        made.complete();
        return made.path();
    }

    private static void watch(Path folder) throws Exception {
        try (InputStream script = Objects.requireNonNull(CleanupWatcher.class.getResourceAsStream("watcher.sh"))) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            var builder = new ProcessBuilder("sh", "-c", text, "stoker-watcher", folder.toString(), USER);
            builder.inheritIO().start().waitFor();
        }
    }

    @Test
    void theLastOneOutCleans() throws Exception {
        Path folder = folder("/x", StagedOwner.NONE);
        watch(folder);
        assertThat(folder).doesNotExist();
    }

    @Test
    void whatIsOwnedStays() throws Exception {
        for (String source : new String[] {"/x", "/a\"owner\":\"\""}) {
            Path folder = folder(source, "session 1 1");
            watch(folder);
            assertThat(folder.resolve("users")).isEmptyDirectory();
            assertThat(folder.resolve("data/x")).exists();
        }
    }

    @Test
    void whatIsKeptStays() throws Exception {
        Path folder = folder("/x", StagedOwner.NONE);
        Files.createFile(folder.resolve("keep"));
        watch(folder);
        assertThat(folder.resolve("data/x")).exists();
    }
}

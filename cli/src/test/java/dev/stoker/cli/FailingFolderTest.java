package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.testkit.Faulty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder whose storage fails while it is listed is no folder with fewer files. */
class FailingFolderTest {
    /** More than the system tells at once. */
    private static final int FILES = 3000;

    @TempDir
    private Path folder;

    private Path source;

    @BeforeEach
    void begin() throws IOException {
        Faulty.require();
        source = Files.createDirectory(folder.resolve("src"));
        for (int i = 0; i < FILES; i++) {
            Files.writeString(source.resolve("a file with a rather long name, number %05d.txt".formatted(i)), "x");
        }
    }

    private static Faulty.End run(Path failing, String error, int call, Object... words) {
        return Faulty.run(failing, "getdents64:error=" + error + ":when=" + call, Main.class, words);
    }

    private void assertRefused(Faulty.End end, Path failing, String reason) {
        assertThat(end.code()).as(end.said()).isEqualTo(1);
        assertThat(end.said()).contains("stoker: [" + failing + "] cannot be read: " + reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void packNamesTheFolder(int call) throws IOException {
        Path output = folder.resolve("x.stk");
        assertRefused(run(source, "EIO", call, "pack", source, "-o", output), source, "Input/output error");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(source);
        }
    }

    @Test
    void aStaleHandleIsNoEnd() {
        Path output = folder.resolve("x.stk");
        assertRefused(run(source, "ESTALE", 2, "pack", source, "-o", output), source, "Stale file handle");
    }

    @Test
    void anInterruptedCallIsMadeAgain() {
        Path output = folder.resolve("x.stk");
        Faulty.End end = run(source, "EINTR", 2, "pack", source, "-o", output);
        assertThat(end.code()).as(end.said()).isZero();
        assertThat(end.told()).contains("3,000 samples");
    }

    @Test
    void stageNamesTheFolder() throws IOException {
        Path place = Files.createDirectory(folder.resolve("place"));
        assertRefused(run(source, "EIO", 2, "stage", source, "--to", place), source, "Input/output error");
    }

    @Test
    void feedNamesTheFolder() {
        assertRefused(run(source, "EIO", 2, "feed", source), source, "Input/output error");
    }
}

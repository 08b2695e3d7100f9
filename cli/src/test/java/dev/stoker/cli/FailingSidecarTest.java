package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.testkit.Faulty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Index that the storage doesn't show is not one that is missing: its checksums are nowhere else. */
class FailingSidecarTest {
    private static final String EVERY_STAT = "stat,lstat,newfstatat,statx,access,faccessat,faccessat2";

    @TempDir
    private Path folder;

    private Path container;
    private Path sidecar;

    @BeforeEach
    void pack() throws IOException {
        Faulty.require();
        Path source = Files.createDirectory(folder.resolve("src"));
        for (int i = 0; i < 3; i++) {
            Files.writeString(source.resolve(i + ".txt"), "x".repeat(i + 1));
        }
        container = folder.resolve("x.tar");
        sidecar = folder.resolve("x.tar.stkx");
        Ending.of("pack", source, "-o", container).require(0);
    }

    private Faulty.End run(String error, Object... words) {
        return Faulty.run(sidecar, EVERY_STAT + ":error=" + error, Main.class, words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"feed", "inspect", "verify", "index"})
    void nothingReplacesIt(String command) throws IOException {
        byte[] before = Files.readAllBytes(sidecar);
        Faulty.End end = run("EIO", command, container);
        assertThat(end.code()).as(end.told() + end.said()).isEqualTo(1);
        assertThat(end.said()).contains("[" + sidecar + "] cannot be read: Input/output error");
        assertThat(Files.readAllBytes(sidecar)).isEqualTo(before);
    }

    @Test
    void convertPassesNothingOn() throws IOException {
        byte[] before = Files.readAllBytes(sidecar);
        Path output = folder.resolve("x.stk");
        Faulty.End end = run("ESTALE", "convert", container, "-o", output);
        assertThat(end.code()).as(end.told() + end.said()).isEqualTo(1);
        assertThat(end.said()).contains("[" + sidecar + "] cannot be read: Stale file handle");
        assertThat(Files.readAllBytes(sidecar)).isEqualTo(before);
        assertThat(output).doesNotExist();
    }
}

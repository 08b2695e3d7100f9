package dev.stoker.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that change between listing and reading. */
class ListedFilesTest {
    @TempDir
    Path folder;

    private Scratch scratch;

    @BeforeEach
    void begin() {
        scratch = new Scratch(folder);
    }

    @Test
    void aFileThatGrewIsRefused() {
        assertRefused("before", "before and after", "it had 6 bytes and now has 16");
    }

    @Test
    void aFileThatShrankIsRefused() {
        assertRefused("before", "be", "it had 6 bytes and now has 2");
    }

    @Test
    void aFileThatWasEmptiedIsRefused() {
        assertRefused("before", "", "it had 6 bytes and now has 0");
    }

    /** Nothing of an empty file has to be read, but it has to be looked at. */
    @Test
    void aFileThatWasEmptyIsRefused() {
        assertRefused("", "after", "it had 0 bytes and now has 5");
    }

    @Test
    void aFileThatWasWrittenOverIsRefused() {
        assertRefused("before", "beyond", "its modification time changed");
    }

    private void assertRefused(String before, String after, String how) {
        Path file = scratch.file("a/1", before);
        touch(file, 1_000);
        try (Samples samples = FolderSource.list(scratch.src(), true, 1)) {
            Scratch.write(file, after.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            touch(file, 2_000);
            assertThatThrownBy(() -> scratch.pack(samples))
                    .isInstanceOf(StokerException.class)
                    .hasMessage("[" + file + "] changed while it was being packed: " + how
                            + ". Pack again when nothing writes to the source");
        }
        assertThat(folder.resolve("out.stk")).doesNotExist();
    }

    /** As all files below /proc, whose bytes are made when they are read. */
    @Test
    void aFileWithMoreBytesThanItsSizeSaysIsRefusedOrLeftOut() throws IOException {
        scratch.file("a/1", "");
        Path link = Files.createSymbolicLink(scratch.src().resolve("a/2"), Path.of("/proc/version"));
        String sentence = "has bytes although its size is 0, as files below /proc; copy it, and pack the copy";
        try (Samples samples = FolderSource.list(scratch.src(), true, 1)) {
            assertThatThrownBy(() -> scratch.pack(samples))
                    .isInstanceOf(StokerException.class)
                    .hasMessage("[" + link + "] " + sentence);
        }
        BadFilePolicy bad = BadFilePolicy.skipped();
        var request = new SourceRequest(scratch.src(), null, true, null, 1, bad);
        try (Samples samples = Sources.open(request)) {
            assertThat(samples.count()).isOne();
            assertThat(bad.list()).containsExactly(new BadFilePolicy.BadFile(link.toString(), sentence));
        }
    }

    @Test
    void aFileThatWasTouchedHasAnotherFingerprint() {
        Path file = scratch.file("a/1", "same");
        touch(file, 1_000);
        String before = fingerprint();
        assertThat(fingerprint()).isEqualTo(before);
        touch(file, 2_000);
        assertThat(fingerprint()).isNotEqualTo(before);
    }

    private String fingerprint() {
        try (Samples samples = FolderSource.list(scratch.src(), true, 1)) {
            return samples.fingerprint();
        }
    }

    private static void touch(Path file, long millis) {
        try {
            Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

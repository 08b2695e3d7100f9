package dev.stoker.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final String PLAN = "0123456789abcdef".repeat(4);
    private static final String OTHER = "f".repeat(64);

    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void begin() {
        path = folder.resolve("out.partial.journal");
    }

    private Map<Integer, Integer> reopen(String fingerprint, boolean resume) {
        try (Journal journal = Journal.open(path, fingerprint, resume)) {
            return journal.earlier();
        }
    }

    private void write(int... runs) {
        try (Journal journal = Journal.open(path, PLAN, true)) {
            for (int run : runs) {
                journal.done(run, -run * 7);
            }
        }
    }

    @Test
    void whatIsDoneIsRemembered() {
        write(4, 0, 1_000_000);
        assertThat(reopen(PLAN, true)).isEqualTo(Map.of(4, -28, 0, 0, 1_000_000, -7_000_000));
    }

    @Test
    void aResumedJournalIsGoneOnWith() {
        write(1);
        write(2);
        assertThat(reopen(PLAN, true)).containsOnlyKeys(1, 2);
    }

    @Test
    void whatALinkLeadsToIsNotWritten() throws IOException {
        Path other = Files.writeString(folder.resolve("notes.txt"), "mine");
        Files.createSymbolicLink(path, other);
        assertThatThrownBy(() -> Journal.open(path, PLAN, true))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("[" + path + "]")
                .hasMessageContaining("it is a symbolic link");
        assertThat(other).hasContent("mine");
    }

    @Test
    void anotherPlanOrANewBeginForgets() {
        write(1);
        assertThat(reopen(OTHER, true)).isEmpty();
        assertThat(reopen(PLAN, true)).isEmpty();
        write(1);
        assertThat(reopen(PLAN, false)).isEmpty();
        assertThat(reopen(PLAN, true)).isEmpty();
    }

    @Test
    void aTornRecordIsWrittenOver() throws IOException {
        write(1, 2, 3);
        byte[] whole = Files.readAllBytes(path);
        for (int size = 0; size <= whole.length; size++) {
            Files.write(path, Arrays.copyOf(whole, size));
            int left = Math.max(0, (size - 65) / 12);
            assertThat(reopen(PLAN, true)).as("torn at %d", size).hasSize(left);
            write(9);
            assertThat(reopen(PLAN, true))
                    .as("torn at %d", size)
                    .hasSize(left + 1)
                    .containsKey(9);
        }
    }

    @Test
    void aFlippedByteEndsWhatIsBelieved() throws IOException {
        write(1, 2, 3);
        byte[] whole = Files.readAllBytes(path);
        for (int at = 65; at < whole.length; at++) {
            byte[] bad = whole.clone();
            bad[at] ^= 0x10;
            Files.write(path, bad);
            assertThat(reopen(PLAN, true)).as("byte %d", at).hasSize((at - 65) / 12);
        }
    }

    @Test
    void twoCannotHaveItAtOnce() {
        try (Journal journal = Journal.open(path, PLAN, true)) {
            journal.done(1, 1);
            assertThatThrownBy(() -> Journal.open(path, PLAN, false))
                    .isInstanceOf(StokerException.class)
                    .hasMessage("[" + path + "] another process is packing to this output now; wait for it, or choose"
                            + " another output");
        }
        assertThat(reopen(PLAN, true)).containsOnlyKeys(1);
    }
}

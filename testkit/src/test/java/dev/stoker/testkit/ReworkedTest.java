package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Split;
import dev.stoker.transform.TransformedSamples;
import dev.stoker.transform.ValueTransform;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReworkedTest {
    @TempDir
    private Path folder;

    /** Doubles values whose first byte is even, leaves the odd ones, refuses those that begin with 7. */
    private record Doubling(String settings) implements ValueTransform {
        @Override
        public Worker worker() {
            return value -> {
                byte[] bytes = value.toArray(ValueLayout.JAVA_BYTE);
                if (bytes[0] == 7) {
                    throw new StokerException("begins with 7");
                }
                if (bytes[0] % 2 != 0) {
                    return null;
                }
                var doubled = new byte[2 * bytes.length];
                System.arraycopy(bytes, 0, doubled, 0, bytes.length);
                System.arraycopy(bytes, 0, doubled, bytes.length, bytes.length);
                return doubled;
            };
        }

        @Override
        public String phase() {
            return "doubling";
        }
    }

    private static MemorySamples ten() {
        var builder = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        for (byte i = 0; i < 10; i++) {
            builder.add("k" + i, new byte[] {i, 100});
        }
        return builder.splits(List.of(new Split("a", 0, 6), new Split("b", 6, 4)))
                .build();
    }

    private Path spool() {
        return folder.resolve("spool");
    }

    private Samples rework(BadFilePolicy bad, String settings) {
        return TransformedSamples.of(ten(), new Doubling(settings), spool(), bad, new Progress());
    }

    private static byte[] data(Samples samples, long sample) {
        var bytes = new byte[(int) samples.length(sample, 1)];
        samples.read(sample, 1, 0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    @Test
    void changesWhatIsChangedAndLeavesOutWhatIsBad() {
        BadFilePolicy bad = BadFilePolicy.skipped();
        try (Samples samples = rework(bad, "x")) {
            assertThat(samples.count()).isEqualTo(9);
            assertThat(data(samples, 0)).containsExactly(0, 100, 0, 100);
            assertThat(data(samples, 5)).containsExactly(5, 100);
            assertThat(data(samples, 7)).containsExactly(8, 100, 8, 100);
            assertThat(data(samples, 8)).containsExactly(9, 100);
            assertThat(samples.length(7, 0)).isEqualTo(2);
            assertThat(samples.splits()).containsExactly(new Split("a", 0, 6), new Split("b", 6, 3));
            assertThat(spool()).exists();
        }
        assertThat(spool()).doesNotExist();
        assertThat(bad.list()).hasSize(1);
        assertThat(bad.list().getFirst().reason()).isEqualTo("begins with 7");
    }

    @Test
    void refusesWhatIsBad() {
        assertThatThrownBy(() -> rework(BadFilePolicy.refused(), "x"))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("begins with 7");
        assertThat(spool()).doesNotExist();
    }

    @Test
    void theFingerprintSaysWhatWasDone() {
        String first;
        try (Samples samples = rework(BadFilePolicy.skipped(), "x")) {
            first = samples.fingerprint();
        }
        try (Samples same = rework(BadFilePolicy.skipped(), "x")) {
            assertThat(same.fingerprint()).isEqualTo(first);
        }
        try (Samples other = rework(BadFilePolicy.skipped(), "y")) {
            assertThat(other.fingerprint()).isNotEqualTo(first);
        }
    }
}

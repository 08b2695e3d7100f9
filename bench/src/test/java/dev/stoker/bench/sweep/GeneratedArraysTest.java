package dev.stoker.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.sample.Npy;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GeneratedArraysTest {
    private static byte[] read(GeneratedArrays arrays, long sample, int field, long from, int length) {
        var bytes = new byte[length];
        arrays.read(sample, field, from, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static byte[] read(GeneratedArrays arrays, long sample) {
        return read(arrays, sample, 1, 0, (int) arrays.length(sample, 1));
    }

    @Test
    void areArraysOfNumPyOfTheWantedSize() {
        var arrays = new GeneratedArrays(2000, 12_288, false, false, 7);
        long bytes = 0;
        for (long i = 0; i < arrays.count(); i++) {
            Npy npy = Npy.parse(read(arrays, i), "sample");
            assertThat(npy.fileLength()).isEqualTo(arrays.length(i, 1));
            assertThat(npy.shape()).hasSize(3).endsWith(3);
            bytes += arrays.length(i, 1);
        }
        assertThat(bytes / 2000.0).isBetween(11_500.0, 13_000.0);
        assertThat(arrays.length(0, 1)).isNotEqualTo(arrays.length(1, 1));
        assertThat(new String(read(arrays, 1999, 0, 0, 16))).isEqualTo("00000001/999.npy");
        assertThat(read(arrays, 1999, 2, 0, 8)).startsWith(9, 0, 0);
    }

    @Test
    void areOfOneLengthIfAsked() {
        var arrays = new GeneratedArrays(50, 12_288, true, true, 7);
        assertThat(arrays.length(0, 1)).isEqualTo(arrays.length(49, 1));
        assertThat(arrays.schema().type(1).width()).isEqualTo(arrays.length(0, 1));
    }

    @Test
    void piecesAreThoseOfTheWhole() {
        var arrays = new GeneratedArrays(3, 1000, false, false, 7);
        byte[] whole = read(arrays, 2);
        for (int from : new int[] {0, 1, 100, 127, 128, 129, 135, 136, 200}) {
            for (int length : new int[] {1, 7, 8, 9, 64}) {
                assertThat(read(arrays, 2, 1, from, length))
                        .as("%d bytes from %d", length, from)
                        .isEqualTo(Arrays.copyOfRange(whole, from, from + length));
            }
        }
    }

    @Test
    void dependOnTheSeedAlone() {
        assertThat(read(new GeneratedArrays(3, 1000, true, false, 7), 1))
                .isEqualTo(read(new GeneratedArrays(3, 1000, true, true, 7), 1))
                .isNotEqualTo(read(new GeneratedArrays(3, 1000, true, false, 8), 1))
                .isNotEqualTo(read(new GeneratedArrays(3, 1000, true, false, 7), 2));
    }

    @Test
    void needRoomForTheHeader() {
        assertThatThrownBy(() -> new GeneratedArrays(3, 100, true, false, 7))
                .isInstanceOf(StokerException.class)
                .hasMessage("--sample-bytes should be at least 256, with NumPy's header, but is 100");
    }
}

package dev.stoker.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ChecksumTest {
    private static MemorySegment text(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The check value that the catalogue of CRCs gives for CRC-32/ISCSI. */
    @Test
    void itIsCrc32c() {
        assertThat(Checksum.of(text("123456789"))).isEqualTo(0xe3069283);
        assertThat(Checksum.of(text(""))).isZero();
    }

    @Test
    void partsMakeTheWhole() {
        assertThat(new Checksum()
                        .add(text("1234"))
                        .add(text(""))
                        .add(text("56789"))
                        .value())
                .isEqualTo(0xe3069283);
    }

    @Test
    void moreThanTwoGibibytesAreSummed() {
        assumeTrue(Boolean.getBoolean("stoker.large"), "needs 3 GiB of memory: -Dstoker.large=true");
        long size = (3L << 30) + 5;
        try (var arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(size);
            bytes.set(java.lang.foreign.ValueLayout.JAVA_BYTE, size - 1, (byte) 1);
            var expected = new CRC32C();
            var zeros = new byte[1 << 20];
            for (long done = 0; done < size - 5; done += zeros.length) {
                expected.update(zeros);
            }
            expected.update(new byte[] {0, 0, 0, 0, 1});
            assertThat(Checksum.of(bytes)).isEqualTo((int) expected.getValue());
        }
    }
}

package dev.stoker.formats.hdf5.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Lookup3Test {
    /** The values that the hash's author gives. */
    @Test
    void hashesAreThoseOfItsAuthor() {
        assertThat(Lookup3.of(new byte[0])).isEqualTo(0xdeadbeef);
        assertThat(Lookup3.of("Four score and seven years ago".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(0x17770551);
    }
}

package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrayDecoderTest {
    private static final FieldType.Tensor TYPE = new FieldType.Tensor(DType.INT16, List.of(2L, 3L));
    private static final byte[] NUMBERS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

    private static byte[] decode(Decoder decoder, byte[] value) {
        var batch = new byte[20];
        decoder.decode(MemorySegment.ofArray(value), MemorySegment.ofArray(batch), 5, 0, 0, 0);
        assertThat(Arrays.copyOf(batch, 5)).containsOnly(0);
        assertThat(Arrays.copyOfRange(batch, 17, 20)).containsOnly(0);
        return Arrays.copyOfRange(batch, 5, 17);
    }

    private static byte[] npy(DType type, byte[] numbers, long... shape) {
        byte[] header = Npy.header(type, shape);
        byte[] file = Arrays.copyOf(header, header.length + numbers.length);
        System.arraycopy(numbers, 0, file, header.length, numbers.length);
        return file;
    }

    @Test
    void takesTheNumbersAsTheyAre() {
        assertThat(decode(ArrayDecoder.raw(TYPE).get(), NUMBERS)).isEqualTo(NUMBERS);
        assertThat(decode(ArrayDecoder.npy(TYPE).get(), npy(DType.INT16, NUMBERS, 2, 3)))
                .isEqualTo(NUMBERS);
    }

    @Test
    void refusesWhatIsOfAnotherLengthTypeOrShape() {
        assertThatThrownBy(() -> decode(ArrayDecoder.raw(TYPE).get(), new byte[11]))
                .hasMessage("the value should have the 12 bytes of int16[2,3] but has 11");
        assertThatThrownBy(() -> decode(ArrayDecoder.npy(TYPE).get(), npy(DType.INT16, NUMBERS, 3, 2)))
                .hasMessage("the array should be int16[2,3] but is int16[3,2]");
        assertThatThrownBy(() -> decode(ArrayDecoder.npy(TYPE).get(), npy(DType.UINT16, NUMBERS, 2, 3)))
                .hasMessage("the array should be int16[2,3] but is uint16[2,3]");
        assertThatThrownBy(() -> decode(ArrayDecoder.npy(TYPE).get(), NUMBERS)).hasMessageContaining("npy");
        byte[] cut = npy(DType.INT16, NUMBERS, 2, 3);
        assertThatThrownBy(() -> decode(ArrayDecoder.npy(TYPE).get(), Arrays.copyOf(cut, cut.length - 1)))
                .hasMessageContaining("but has 11");
    }
}

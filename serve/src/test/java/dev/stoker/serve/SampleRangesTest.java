package dev.stoker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.order.RangeSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class SampleRangesTest {
    private static String pairs(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    @Test
    void pairsPassOverAndTake() {
        assertThat(SampleRanges.parse(pairs(2, 1, 0, 2, 3, 1), 9)).isEqualTo(RangeSet.of(2, 3, 4, 8));
        assertThat(SampleRanges.parse(pairs(5, 0, 1, 1), 9)).isEqualTo(RangeSet.of(6));
        assertThat(SampleRanges.parse(pairs(-1, 1), 1L << 33)).isEqualTo(RangeSet.of(0xffff_ffffL));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> SampleRanges.parse(pairs(2, 8), 9))
                .isInstanceOf(StokerException.class)
                .hasMessage("the subset has sample 9, but the dataset has 9, counted from 0");
        assertThatThrownBy(() -> SampleRanges.parse("AAAA", 9))
                .hasMessage("the subset should be pairs of 8 bytes but has 3");
        assertThatThrownBy(() -> SampleRanges.parse("!", 9)).hasMessageStartingWith("the subset should be Base64: ");
        assertThatThrownBy(() -> SampleRanges.parse("", 9)).hasMessage("the subset has no sample");
    }
}

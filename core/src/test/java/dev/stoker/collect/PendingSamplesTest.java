package dev.stoker.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PendingSamplesTest {
    private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

    private final PendingSamples pending = new PendingSamples(new Schema(List.of(
            new Field("score", new FieldType.Scalar(DType.FLOAT32)),
            new Field("points", new FieldType.Array(DType.INT16, 1)),
            new Field("mask", new FieldType.Array(DType.INT16, 2)))));

    @AfterEach
    void close() {
        pending.close();
    }

    private static MemorySegment bytes(int length) {
        return MemorySegment.ofArray(new byte[length]);
    }

    private void assertRefused(String sentence, long[][] shapes, MemorySegment... values) {
        assertThatThrownBy(() -> pending.add(-1, shapes, values))
                .isInstanceOf(StokerException.class)
                .hasMessage(sentence);
        assertThat(pending.count()).isZero();
        assertThat(pending.bytes()).isZero();
    }

    @Test
    void valuesThatDoNotFitTheirTypesAreRefused() {
        long[][] shapes = {{}, {}, {0, 0}};
        assertRefused("a sample has 3 fields but 2 were given", shapes, bytes(4), NONE);
        assertRefused("a value of field 'score' (float32) has 4 bytes, not 3", shapes, bytes(3), NONE, NONE);
        assertRefused(
                "a value of field 'points' (int16[*]) needs 1 dimensions whose product is that of its 1 elements",
                shapes,
                bytes(4),
                bytes(3),
                NONE);
        for (long[] wrong : new long[][] {{}, {6}, {2, 2}, {-2, -3}, {1, 2, 3}}) {
            assertRefused(
                    "a value of field 'mask' (int16[*,*]) needs 2 dimensions whose product is that of its 6 elements",
                    new long[][] {{}, {}, wrong},
                    bytes(4),
                    NONE,
                    bytes(12));
        }
    }

    @Test
    void oneDimensionNeedNotBeGiven() {
        pending.add(7, new long[][] {{}, {}, {2, 3}}, bytes(4), bytes(10), bytes(12));
        pending.add(8, new long[][] {{}, {0}, {0, 9}}, bytes(4), NONE, NONE);
        assertThat(pending.count()).isEqualTo(2);
        assertThat(pending.shape(0, 1)).containsExactly(5);
        assertThat(pending.shape(0, 2)).containsExactly(2, 3);
        assertThat(pending.shape(1, 2)).containsExactly(0, 9);
        assertThat(pending.length(0, 2)).isEqualTo(12);
        assertThat(pending.length(1, 1)).isZero();
        assertThat(pending.index(1)).isEqualTo(8);
    }

    @Test
    void theBytesComeBackPartByPart() {
        byte[] value = {1, 2, 3, 4, 5, 6};
        pending.add(-1, new long[][] {{}, {}, {0, 0}}, bytes(4), bytes(2), NONE);
        pending.add(-1, new long[][] {{}, {}, {0, 0}}, bytes(4), MemorySegment.ofArray(value), NONE);
        var part = new byte[3];
        pending.read(1, 1, 2, MemorySegment.ofArray(part));
        assertThat(part).containsExactly(3, 4, 5);
        pending.clear();
        assertThat(pending.count()).isZero();
        assertThat(pending.bytes()).isZero();
    }
}

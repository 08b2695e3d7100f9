package dev.stoker.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.TestSeed;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class GrowingBufferTest {
    @Test
    void whatIsAddedStandsInItsOrder() {
        RandomGenerator random = TestSeed.random("GrowingBytesTest");
        var expected = new ByteArrayOutputStream();
        try (var bytes = new GrowingBuffer()) {
            for (int n = 0; n < 2_000; n++) {
                int way = random.nextInt(4);
                var part = new byte[way == 0 ? 8 : way == 1 ? 4 : random.nextInt(50)];
                random.nextBytes(part);
                ByteBuffer number = ByteBuffer.wrap(part).order(ByteOrder.LITTLE_ENDIAN);
                switch (way) {
                    case 0 -> bytes.addLong(number.getLong());
                    case 1 -> bytes.addInt(number.getInt());
                    case 2 -> bytes.add(part);
                    default -> bytes.add(MemorySegment.ofArray(part));
                }
                expected.writeBytes(part);
                assertThat(bytes.size()).isEqualTo(expected.size());
            }
            assertThat(bytes.bytes().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected.toByteArray());
        }
    }

    @Test
    void oneLargeValueIsEnoughToGrow() {
        try (var bytes = new GrowingBuffer()) {
            bytes.addLong(7);
            bytes.add(new byte[1 << 20]);
            bytes.addLong(8);
            assertThat(bytes.getLong(0)).isEqualTo(7);
            assertThat(bytes.bytes().get(LittleEndian.U64, bytes.size() - 8)).isEqualTo(8);
        }
    }

    @Test
    void clearedBytesBeginAnew() {
        try (var bytes = new GrowingBuffer()) {
            bytes.addLong(1);
            bytes.clear();
            assertThat(bytes.size()).isZero();
            bytes.addLong(2);
            assertThat(bytes.getLong(0)).isEqualTo(2);
        }
    }

    @Test
    void closedBytesAreRefused() {
        var bytes = new GrowingBuffer();
        bytes.addLong(1);
        bytes.close();
        bytes.close();
        assertThatThrownBy(() -> bytes.getLong(0)).isInstanceOf(IllegalStateException.class);
    }
}

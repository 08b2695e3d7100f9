package dev.stoker.image.jpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.image.ImageException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RestartInserterTest {
    private final JpegDecoder decoder = new JpegDecoder();

    private byte[] pixels(byte[] encoded) {
        JpegHeader header = decoder.read(encoded, 0, encoded.length);
        return GoldenJpegTest.decode(decoder, encoded, 0, 0, header.width(), header.height());
    }

    @Test
    void keepsEveryPixelWhateverTheInterval() {
        for (int[] size : new int[][] {{203, 117}, {16, 640}, {500, 375}}) {
            byte[] plain = JpegDecoderTest.photo(size[0], size[1]);
            byte[] expected = pixels(plain);
            for (int interval : new int[] {1, 2, 7, 8, 13, 31}) {
                byte[] marked = Objects.requireNonNull(
                        new RestartInserter(interval).insert(MemorySegment.ofArray(plain)), "not marked");
                assertThat(decoder.read(marked, 0, marked.length).restartInterval())
                        .isEqualTo(interval);
                assertThat(pixels(marked)).as("interval %d", interval).isEqualTo(expected);
            }
        }
    }

    @Test
    void keepsTheBoxes() {
        byte[] plain = JpegDecoderTest.photo(500, 375);
        byte[] marked = Objects.requireNonNull(new RestartInserter(8).insert(MemorySegment.ofArray(plain)));
        for (int[] box : new int[][] {{3, 5, 40, 50}, {200, 100, 300, 275}, {137, 301, 1, 1}, {0, 374, 500, 1}}) {
            decoder.read(plain, 0, plain.length);
            byte[] expected = GoldenJpegTest.decode(decoder, plain, box[0], box[1], box[2], box[3]);
            assertThat(GoldenJpegTest.decode(decoder, marked, box[0], box[1], box[2], box[3]))
                    .isEqualTo(expected);
        }
    }

    @Test
    void leavesAloneWhatIsMarkedOrSmall() {
        byte[] plain = JpegDecoderTest.photo(203, 117);
        byte[] marked = Objects.requireNonNull(new RestartInserter(8).insert(MemorySegment.ofArray(plain)));
        assertThat(new RestartInserter(4).insert(MemorySegment.ofArray(marked))).isNull();
        assertThat(new RestartInserter(13 * 8).insert(MemorySegment.ofArray(plain)))
                .isNull();
    }

    @Test
    void refusesWhatIsCutOff() {
        byte[] plain = JpegDecoderTest.photo(203, 117);
        byte[] cut = Arrays.copyOf(plain, plain.length * 2 / 3);
        assertThatThrownBy(() -> new RestartInserter(8).insert(MemorySegment.ofArray(cut)))
                .isInstanceOf(ImageException.class)
                .hasMessageContaining("ends in the block that begins here");
    }

    @Test
    void refusesWhatIsNoInterval() {
        assertThatThrownBy(() -> new RestartInserter(65_536)).hasMessageContaining("from 1 to 65535, not 65536");
    }
}

package dev.stoker.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.TestSeed;
import dev.stoker.index.BlockRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The steps of decoding, alone and one after another. */
class CodecPipelineTest {
    private static byte[] decode(CodecPipeline pipeline, byte[] stored, int bytes) throws IOException {
        return pipeline.decode(MemorySegment.ofArray(stored), bytes).toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        }
        return out.toByteArray();
    }

    private static byte[] withCrc32c(byte[] content) {
        var crc = new CRC32C();
        crc.update(content);
        return ByteBuffer.allocate(content.length + 4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(content)
                .putInt((int) crc.getValue())
                .array();
    }

    /** As some writers of Parquet and bgzip have it. */
    @Test
    void membersOfGzipOneBehindTheOtherAreOne() throws IOException {
        var out = new ByteArrayOutputStream();
        for (byte[] plain : new byte[][] {{1, 2, 3}, {}, {4}}) {
            out.writeBytes(gzip(plain));
        }
        byte[] members = out.toByteArray();
        assertThat(decode(CodecPipeline.of("gzip"), members, 4)).containsExactly(1, 2, 3, 4);
        assertThatThrownBy(() -> decode(CodecPipeline.of("gzip"), members, 5))
                .hasMessageContaining("5 bytes but has 4");
        assertThatThrownBy(() -> decode(CodecPipeline.of("gzip"), members, 3))
                .hasMessageContaining("more than the 3 bytes");
        assertThatThrownBy(() -> decode(CodecPipeline.of("gzip"), Arrays.copyOf(members, members.length + 3), 4))
                .hasMessageContaining("begin as gzip does");
    }

    @Test
    void stepsFollowEachOther() throws IOException {
        byte[] numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        byte[] shuffled = {1, 5, 2, 6, 3, 7, 4, 8, 9};
        CodecPipeline pipeline = CodecPipeline.of("crc32c").then("gzip").then("shuffle", 4L);
        assertThat(decode(pipeline, withCrc32c(gzip(shuffled)), 9)).isEqualTo(numbers);
    }

    /** The fuzzer found a file whose numbers claimed two billion bytes, all of which were gone over. */
    @ParameterizedTest
    @ValueSource(strings = {"shuffle", "swap"})
    void aWidthThatNoNumberHasIsHarmless(String codec) throws IOException {
        byte[] bytes = {1, 2, 3};
        assertThat(decode(CodecPipeline.of(codec, 4L), bytes, 3)).isEqualTo(bytes);
        assertThat(decode(CodecPipeline.of(codec, 1L << 40), bytes, 3)).isEqualTo(bytes);
        for (long width : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> decode(CodecPipeline.of(codec, width), bytes, 3))
                    .hasMessageContaining("a number cannot have " + width + " bytes");
        }
    }

    @Test
    void checksumsFindEveryFlippedBit() throws IOException {
        byte[] stored = withCrc32c("some text".getBytes(StandardCharsets.UTF_8));
        for (int bit = 0; bit < stored.length * 8; bit++) {
            byte[] damaged = stored.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> decode(CodecPipeline.of("crc32c"), damaged, stored.length - 4))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("crc32c should be");
        }
    }

    @Test
    void fletcherIsThatOfHdf5() {
        // Words 0x0102 and 0x0300: sums 0x0102, then 0x0402, and the sum of both.
        assertThat(TrailingChecksumCodec.fletcher32(MemorySegment.ofArray(new byte[] {1, 2, 3})))
                .isEqualTo(0x0504_0402);
        assertThat(TrailingChecksumCodec.fletcher32(MemorySegment.ofArray(new byte[] {-1, -1})))
                .isEqualTo(-1);
    }

    @Test
    void bigEndianNumbersAreTurned() throws IOException {
        assertThat(decode(CodecPipeline.of("swap", 2L), new byte[] {1, 2, 3, 4}, 4))
                .isEqualTo(new byte[] {2, 1, 4, 3});
    }

    @Test
    void lzfRepeatsWhatItJustMade() throws IOException {
        // "ab" as it is, then six bytes from two back.
        byte[] stored = {1, 'a', 'b', (byte) (4 << 5), 1};
        assertThat(decode(CodecPipeline.of("lzf"), stored, 8)).isEqualTo("abababab".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void damageNeverGivesAnythingButAnIoException() throws IOException {
        var random = TestSeed.random("PipelineTest");
        byte[] plain = new byte[500];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = (byte) random.nextInt(3);
        }
        byte[] lzf = {1, 'a', 'b', (byte) (4 << 5), 1, 2, 'x', 'y', 'z', (byte) 0xe3, 9, 7};
        record Example(String codec, byte[] stored, int bytes) {}
        for (var example : List.of(
                new Example("gzip", gzip(plain), 500),
                new Example("zlib", gzip(plain), 500),
                new Example("deflate", gzip(plain), 500),
                new Example("lzf", lzf, 20),
                new Example("crc32c", withCrc32c(plain), 500))) {
            for (int i = 0; i < 3_000; i++) {
                byte[] damaged = java.util.Arrays.copyOf(
                        example.stored(),
                        random.nextInt(4) == 0 ? random.nextInt(example.stored().length) : example.stored().length);
                for (int flips = random.nextInt(4); flips > 0 && damaged.length > 0; flips--) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
                try {
                    decode(CodecPipeline.of(example.codec()), damaged, random.nextInt(600));
                } catch (IOException e) {
                    assertThat(e).hasMessageNotContaining("null");
                }
            }
        }
    }

    @Test
    void anUnknownStepIsNamed() {
        assertThatThrownBy(() -> decode(CodecPipeline.of("brotli"), new byte[3], 3))
                .hasMessageContaining("'brotli'")
                .hasMessageContaining("zlib");
    }

    @Test
    void tilesMakeWholeSamples() throws IOException {
        // Five samples of 3 x 4 numbers of two bytes, in tiles of 2 x 2 x 3.
        int[] shape = {5, 3, 4};
        int[] tile = {2, 2, 3};
        var container = new ByteArrayOutputStream();
        MemorySegment list = MemorySegment.ofArray(new byte[3 * 2 * 2 * 24]);
        long entry = 0;
        for (int a = 0; a < 6; a += 2) {
            for (int b = 0; b < 4; b += 2) {
                for (int c = 0; c < 6; c += 3) {
                    boolean isMissing = a == 2 && b == 2 && c == 0;
                    list.set(dev.stoker.io.LittleEndian.U64, entry, container.size());
                    list.set(dev.stoker.io.LittleEndian.U64, entry + 8, isMissing ? 0 : 24);
                    entry += 24;
                    if (!isMissing) {
                        for (int i = 0; i < 12; i++) {
                            int x = a + i / 6;
                            int y = b + i / 3 % 2;
                            int z = c + i % 3;
                            boolean isInside = x < shape[0] && y < shape[1] && z < shape[2];
                            container.write(isInside ? x * 12 + y * 4 + z : 99);
                            container.write(1);
                        }
                    }
                }
            }
        }
        var tiles = new TileLayout(2, List.of(3L, 4L), List.of(2L, 2L, 3L), List.of((byte) 77, (byte) 1));
        MemorySegment file = MemorySegment.ofArray(container.toByteArray());
        MemorySegment whole = MemorySegment.ofArray(new byte[5 * 3 * 4 * 2]);
        new TileDecoder(tiles.before(CodecPipeline.NONE), whole.byteSize())
                .decode(list, (number, offset, length) -> file.asSlice(offset, length), whole);
        for (int i = 0; i < 60; i++) {
            boolean isMissing = i / 12 / tile[0] == 1 && i / 4 % 3 == 2 && i % 4 < 3;
            assertThat(whole.get(ValueLayout.JAVA_BYTE, 2L * i)).isEqualTo((byte) (isMissing ? 77 : i));
            assertThat(whole.get(ValueLayout.JAVA_BYTE, 2L * i + 1)).isEqualTo((byte) 1);
        }
    }

    /** One tile that was turned, one that was left as it is, and one that is not stored and far larger than the array. */
    @Test
    void aTileMayLeaveOutSteps() {
        byte[] container = {1, 2, 3, 4, 2, 1, 4, 3};
        var tiles = new TileLayout(2, List.of(), List.of(2L), List.of((byte) 7, (byte) 8));
        var huge = new TileLayout(2, List.of(), List.of(1L << 40), List.of((byte) 7, (byte) 8));
        try (var rows = new BlockRows()) {
            CodecPipeline swap = CodecPipeline.of("swap", 2L);
            rows.addTiles(List.of(new TileLayout.Place(0, 0, 4), new TileLayout.Place(0, 4, 4, 1)), 8, tiles, swap);
            rows.addTiles(List.of(TileLayout.Place.NOWHERE), 4, huge, swap);
            BlockReader reader = rows.reader(new OneFile(container), new BlockCache(1 << 20));
            assertThat(reader.read(0, 12).toArray(ValueLayout.JAVA_BYTE))
                    .containsExactly(2, 1, 4, 3, 2, 1, 4, 3, 7, 8, 7, 8);
        }
    }

    private record OneFile(byte[] container) implements BlockReader.Files {
        @Override
        public MemorySegment bytes(int file) {
            return MemorySegment.ofArray(container);
        }

        @Override
        public String name(int file) {
            return "container";
        }
    }
}

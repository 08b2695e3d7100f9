package dev.stoker.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.TestSeed;
import dev.stoker.io.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Reading out of blocks, and the cache that keeps them. */
class BlockReaderTest {
    private final RandomGenerator random = TestSeed.random("BlockReaderTest");
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    private final List<long[]> rows = new ArrayList<>();
    private final List<CodecPipeline> pipelines = List.of(CodecPipeline.NONE, CodecPipeline.of("zlib"));

    private void add(int pipeline, byte[] whole, int skip, int bytes) {
        byte[] stored = pipeline == 0 ? whole : deflate(whole);
        rows.add(new long[] {decoded.size(), file.size(), stored.length, whole.length, skip, pipeline, 0});
        file.writeBytes(stored);
        decoded.write(whole, skip, bytes);
    }

    private BlockTable table() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[BlockTable.ROW_BYTES * (rows.size() + 1)]);
        for (int i = 0; i < rows.size(); i++) {
            long[] row = rows.get(i);
            long at = (long) i * BlockTable.ROW_BYTES;
            bytes.set(LittleEndian.U64, at, row[0]);
            bytes.set(LittleEndian.U64, at + 8, row[1]);
            bytes.set(LittleEndian.U64, at + 16, row[2]);
            bytes.set(LittleEndian.U32, at + 24, (int) row[3]);
            bytes.set(LittleEndian.U32, at + 28, (int) row[4]);
            bytes.set(LittleEndian.U32, at + 32, (int) row[5]);
            bytes.set(LittleEndian.U32, at + 36, (int) row[6]);
        }
        bytes.set(LittleEndian.U64, (long) rows.size() * BlockTable.ROW_BYTES, decoded.size());
        return new BlockTable("test", bytes, pipelines, List.of());
    }

    private BlockReader reader(BlockCache cache, byte[] container) {
        MemorySegment bytes = MemorySegment.ofArray(container);
        return new BlockReader(
                table(),
                MemorySegment.NULL,
                new BlockReader.Files() {
                    @Override
                    public MemorySegment bytes(int number) {
                        return bytes;
                    }

                    @Override
                    public String name(int number) {
                        return "container";
                    }
                },
                cache);
    }

    private static byte[] deflate(byte[] plain) {
        try (var deflater = new Deflater()) {
            deflater.setInput(plain);
            deflater.finish();
            var out = new byte[plain.length + 100];
            int length = deflater.deflate(out);
            return java.util.Arrays.copyOf(out, length);
        }
    }

    private byte[] text(int length) {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(4));
        }
        return bytes;
    }

    private void addMany(int count) {
        for (int i = 0; i < count; i++) {
            byte[] whole = text(random.nextInt(2000));
            int skip = whole.length == 0 || random.nextBoolean() ? 0 : random.nextInt(whole.length);
            add(random.nextInt(2), whole, skip, random.nextInt(whole.length - skip + 1));
        }
    }

    @Test
    void anyRunOfDecodedBytesIsWhatWentIn() {
        addMany(200);
        byte[] expected = decoded.toByteArray();
        try (var reader = reader(new BlockCache(20_000), file.toByteArray())) {
            for (int i = 0; i < 5_000; i++) {
                int from = random.nextInt(expected.length);
                int length = random.nextInt(Math.min(5_000, expected.length - from) + 1);
                assertThat(reader.read(from, length).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(java.util.Arrays.copyOfRange(expected, from, from + length));
            }
        }
    }

    @Test
    void theCacheStaysBelowItsLimitAndForgetsWhatIsClosed() {
        addMany(200);
        var cache = new BlockCache(20_000);
        try (var reader = reader(cache, file.toByteArray())) {
            for (int i = 0; i < 2_000; i++) {
                reader.read(random.nextInt(decoded.size()), 1);
                assertThat(cache.bytes()).isLessThanOrEqualTo(20_000);
            }
            assertThat(cache.bytes()).isPositive();
        }
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void aBlockLargerThanTheCacheIsNotDecodedForEachOfItsValues() {
        add(1, text(50_000), 0, 50_000);
        add(1, text(10_000), 0, 10_000);
        var cache = new BlockCache(20_000);
        try (var reader = reader(cache, file.toByteArray())) {
            for (int i = 0; i < 50_000; i += 1000) {
                reader.read(i, 1000);
            }
            assertThat(cache.decodings()).isEqualTo(1);
            reader.read(50_000, 10_000);
            assertThat(cache.bytes()).isLessThanOrEqualTo(20_000);
        }
    }

    @Test
    void aSmallFileGetsNoLargeBlock() {
        add(1, text(100), 0, 100);
        rows.getFirst()[3] = 1 << 29;
        try (var reader = reader(new BlockCache(1 << 20), file.toByteArray())) {
            assertThatThrownBy(() -> reader.read(0, 100))
                    .isInstanceOf(CorruptContainerException.class)
                    .hasMessageContaining("bytes is too small for blocks of 536870912 bytes");
        }
    }

    @Test
    void aBlockIsDecodedOnceHoweverManyThreadsWantIt() throws Exception {
        for (int i = 0; i < 20; i++) {
            add(1, text(50_000), 0, 50_000);
        }
        var cache = new BlockCache(10_000_000);
        var start = new CountDownLatch(1);
        try (var reader = reader(cache, file.toByteArray());
                var threads = Executors.newFixedThreadPool(8)) {
            var all = new ArrayList<Future<?>>();
            for (int t = 0; t < 8; t++) {
                all.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < 20; i++) {
                        reader.read(i * 50_000L, 50_000);
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> each : all) {
                each.get();
            }
        }
        assertThat(cache.decodings()).isEqualTo(20);
    }

    @Test
    void aDamagedBlockIsAnErrorForItsBytesAlone() {
        for (int i = 0; i < 3; i++) {
            add(1, text(1_000), 0, 1_000);
        }
        byte[] container = file.toByteArray();
        container[(int) rows.get(1)[1] + 20] ^= 0x10;
        try (var reader = reader(new BlockCache(1 << 20), container)) {
            for (int repeat = 0; repeat < 2; repeat++) {
                assertThat(reader.read(0, 1_000).byteSize()).isEqualTo(1_000);
                assertThat(reader.read(2_000, 1_000).byteSize()).isEqualTo(1_000);
                assertThatThrownBy(() -> reader.read(1_500, 10))
                        .isInstanceOf(CorruptContainerException.class)
                        .hasMessageContaining("byte " + rows.get(1)[1])
                        .hasMessageContaining("zlib");
            }
        }
    }

    @Test
    void aBlockThatInflatesToMoreThanItSaysIsRefused() {
        add(1, text(10_000), 0, 10_000);
        rows.getFirst()[3] = 9_999;
        decoded.reset();
        decoded.writeBytes(new byte[9_999]);
        try (var reader = reader(new BlockCache(1 << 20), file.toByteArray())) {
            assertThatThrownBy(() -> reader.read(0, 1))
                    .isInstanceOf(CorruptContainerException.class)
                    .hasMessageContaining("more than the 9999 bytes");
        }
    }

    @Test
    void aTableThatContradictsItselfOrTheFileIsRefused() {
        addMany(20);
        byte[] container = file.toByteArray();
        for (int i = 0; i < 2_000; i++) {
            long[] row = rows.get(random.nextInt(rows.size()));
            int column = random.nextInt(row.length);
            long kept = row[column];
            row[column] = switch (random.nextInt(4)) {
                case 0 -> random.nextLong();
                case 1 -> -1;
                case 2 -> kept + random.nextInt(100) - 50;
                default -> Long.MAX_VALUE;
            };
            try (var reader = reader(new BlockCache(1 << 20), container)) {
                int from = random.nextInt(decoded.size());
                reader.read(from, random.nextInt(decoded.size() - from + 1));
            } catch (CorruptContainerException e) {
                assertThat(e).hasMessageMatching("(?s)\\[(test|container)] .*");
            }
            row[column] = kept;
        }
    }
}

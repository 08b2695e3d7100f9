package dev.stoker.image.jpeg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.image.ImageException;
import dev.stoker.image.PixelFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Mutated pictures are decoded or refused with an ImageException, in bounded time; the input ends where its memory ends.
 * {@code -Dstoker.fuzz.count=1000000 -Dstoker.fuzz.seed=1} for a longer run.
 */
class JpegFuzzTest {
    private static final long COUNT = Long.getLong("stoker.fuzz.count", 20_000);
    private static final long SEED = Long.getLong("stoker.fuzz.seed", 20_261);
    private static final long MAX_MILLIS = 1_000;

    @Test
    void mutatedPicturesAreDecodedOrRefused() throws Exception {
        List<byte[]> originals = new ArrayList<>();
        for (GoldenJpegTest.Golden golden : GoldenJpegTest.goldens()) {
            originals.add(golden.encoded());
        }
        JpegOptions limits = JpegOptions.DEFAULT.withMaxPixels(300_000);
        JpegDecoder[] decoders = {new JpegDecoder(limits), new JpegDecoder(limits.withAcceptTruncated(true))};
        MemorySegment out = Arena.ofAuto().allocate(300_000 * 3);
        SplittableRandom random = new SplittableRandom(SEED);
        long refused = 0;
        long slowest = 0;
        for (long i = 0; i < COUNT; i++) {
            byte[] mutated = mutate(originals.get(random.nextInt(originals.size())), random);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment encoded = arena.allocate(mutated.length).copyFrom(MemorySegment.ofArray(mutated));
                long start = cpuTime();
                try {
                    decode(decoders[(int) (i & 1)], encoded, out, random);
                } catch (ImageException e) {
                    refused++;
                    assertThat(e.offset()).isBetween(0L, (long) mutated.length);
                } catch (Throwable e) {
                    throw new AssertionError(
                            "seed " + SEED + ", picture " + i + ": "
                                    + java.util.HexFormat.of().formatHex(mutated),
                            e);
                }
                slowest = Math.max(slowest, (cpuTime() - start) / 1_000_000);
            }
        }
        System.out.println(
                "fuzz: " + COUNT + " pictures, " + refused + " refused, slowest " + slowest + " ms, seed " + SEED);
        assertThat(slowest).as("seed %d", SEED).isLessThan(MAX_MILLIS);
        assertThat(refused).isBetween(COUNT / 10, COUNT - COUNT / 100);
    }

    /** Of this thread: a busy machine is not a slow decoder. */
    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void decode(JpegDecoder decoder, MemorySegment encoded, MemorySegment out, SplittableRandom random) {
        JpegHeader header = decoder.read(encoded);
        int shrink = 1 << random.nextInt(8) / 5 * random.nextInt(4);
        int width = (header.width() + shrink - 1) / shrink, height = (header.height() + shrink - 1) / shrink;
        int w = random.nextBoolean() ? width : 1 + random.nextInt(width);
        int h = random.nextBoolean() ? height : 1 + random.nextInt(height);
        PixelFormat format = random.nextInt(4) == 0 ? PixelFormat.GREY : PixelFormat.RGB;
        decoder.decodeScaled(
                shrink, random.nextInt(width - w + 1), random.nextInt(height - h + 1), w, h, format, out, 0, 3L * w);
    }

    private static byte[] mutate(byte[] original, SplittableRandom random) {
        byte[] bytes = original.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            // Most of the small files is header; half of the changes should hit the coded data.
            int at = random.nextBoolean()
                    ? random.nextInt(bytes.length)
                    : bytes.length - 1 - random.nextInt(bytes.length / 3 + 1);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes[at] = (byte) 0xFF;
                case 3 -> bytes = java.util.Arrays.copyOf(bytes, Math.max(1, at));
                case 4 -> {
                    int count = Math.min(random.nextInt(30), Math.min(original.length, bytes.length - at));
                    System.arraycopy(original, random.nextInt(original.length - count + 1), bytes, at, count);
                }
                default -> {
                    byte[] longer = new byte[bytes.length + 3];
                    System.arraycopy(bytes, 0, longer, 0, at);
                    for (int k = 0; k < 3; k++) {
                        longer[at + k] = (byte) random.nextInt(256);
                    }
                    System.arraycopy(bytes, at, longer, at + 3, bytes.length - at);
                    bytes = longer;
                }
            }
        }
        return bytes;
    }
}

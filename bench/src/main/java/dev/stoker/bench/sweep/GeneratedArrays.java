package dev.stoker.bench.sweep;

import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Pictures that are nothing but noise, each with a label: arrays of bytes, height x width x 3, as {@code numpy.save} writes
 * them. All of it follows from the seed, and nothing is kept but the shapes.
 */
final class GeneratedArrays implements Samples {
    private static final int COLOURS = 3;
    private static final int CLASSES = 10;
    private static final int PER_FOLDER = 1000;
    private static final int KEY_BYTES = "00000000/000.npy".length();
    private static final int HEADER_BYTES = Npy.header(DType.UINT8, 1, 1, COLOURS).length;
    /** Less would be nearly all header. */
    static final int FEWEST_BYTES = 2 * HEADER_BYTES;

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final Schema schema;
    private final long seed;
    private final int[] heights;
    private final int[] widths;

    /**
     * Describes pictures.
     *
     * @param bytes of a picture on average, its header with it
     * @param fixed whether all have the same shape; else height and width are from half to one and a half of the average
     * @param asTensor whether their type says that all have one length
     */
    GeneratedArrays(long count, int bytes, boolean fixed, boolean asTensor, long seed) {
        if (bytes < FEWEST_BYTES) {
            throw new StokerException(
                    "--sample-bytes should be at least " + FEWEST_BYTES + ", with NumPy's header, but is " + bytes);
        }
        int side = Math.max(2, (int) Math.round(Math.sqrt((bytes - HEADER_BYTES) / (double) COLOURS)));
        this.seed = seed;
        this.heights = new int[Math.toIntExact(count)];
        this.widths = new int[heights.length];
        var random = new SplittableRandom(seed);
        for (int i = 0; i < heights.length; i++) {
            heights[i] = fixed ? side : random.nextInt(side - side / 2, side + side / 2 + 1);
            widths[i] = fixed ? side : random.nextInt(side - side / 2, side + side / 2 + 1);
        }
        FieldType data = asTensor
                ? new FieldType.Tensor(DType.UINT8, List.of(HEADER_BYTES + (long) COLOURS * side * side))
                : new FieldType.Bytes();
        this.schema = new Schema(List.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, data),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64))));
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public long count() {
        return heights.length;
    }

    @Override
    public long length(long sample, int field) {
        return switch (field) {
            case 0 -> KEY_BYTES;
            case 1 -> HEADER_BYTES + (long) COLOURS * heights[(int) sample] * widths[(int) sample];
            default -> Long.BYTES;
        };
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        switch (field) {
            case 0 -> copy(key(sample), from, to);
            case 1 -> readPicture((int) sample, from, to);
            default -> {
                var label = new byte[Long.BYTES];
                label[0] = (byte) (sample % CLASSES);
                copy(label, from, to);
            }
        }
    }

    private static byte[] key(long sample) {
        return "%08d/%03d.npy"
                .formatted(sample / PER_FOLDER, sample % PER_FOLDER)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void copy(byte[] value, long from, MemorySegment to) {
        MemorySegment.copy(MemorySegment.ofArray(value), from, to, 0, to.byteSize());
    }

    private void readPicture(int sample, long from, MemorySegment to) {
        long done = 0;
        if (from < HEADER_BYTES) {
            byte[] header = Npy.header(DType.UINT8, heights[sample], widths[sample], COLOURS);
            done = Math.min(to.byteSize(), HEADER_BYTES - from);
            copy(header, from, to.asSlice(0, done));
        }
        long first = mix(seed + GOLDEN * sample);
        long at = from + done - HEADER_BYTES;
        while (done < to.byteSize()) {
            long word = mix(first + GOLDEN * (at >>> 3));
            if ((at & 7) == 0 && to.byteSize() - done >= 8) {
                to.set(LittleEndian.U64, done, word);
                done += 8;
                at += 8;
            } else {
                to.set(ValueLayout.JAVA_BYTE, done++, (byte) (word >>> 8 * (at++ & 7)));
            }
        }
    }

    /** Stafford's mixer: neighbouring numbers give unlike ones. */
    private static long mix(long number) {
        long z = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    @Override
    public String describe(long sample) {
        return "generated sample " + sample;
    }

    @Override
    public String fingerprint() {
        return "generated " + heights.length + " " + seed + " " + schema;
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}

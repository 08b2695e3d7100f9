package dev.stoker.formats.arrow;

import dev.stoker.StokerException;
import dev.stoker.format.BlockPlanner;
import dev.stoker.format.FormatOptions;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import java.util.Arrays;

/**
 * Which rows make which record batch, and which columns need offsets of 64 bits. Two numbers are kept for each batch,
 * since there may be as many of them as samples.
 */
final class Batches {
    private final Samples samples;
    private final boolean[] large;
    private long[] firsts = new long[16];
    private int count;

    /** Cuts the samples as the options ask. */
    static Batches of(Samples samples, FormatOptions options, boolean isCompressed) {
        long rows = options.count(ArrowFormat.ROWS_PER_BATCH, -1);
        if (rows > 0) {
            return new Batches(samples, rows, Long.MAX_VALUE);
        }
        return isCompressed
                ? new Batches(samples, Long.MAX_VALUE, BlockPlanner.bytes(options))
                : new Batches(samples, ArrowPlan.DEFAULT_ROWS, ArrowPlan.DEFAULT_BYTES);
    }

    /** For each batch the sample behind its last. */
    long[] ends() {
        var ends = new long[count];
        for (int b = 0; b < count; b++) {
            ends[b] = first(b + 1);
        }
        return ends;
    }

    /**
     * Cuts the samples.
     *
     * @param rows how many rows a batch has at most
     * @param bytes how many bytes of values a batch of several rows has at most
     */
    Batches(Samples samples, long rows, long bytes) {
        this.samples = samples;
        int fields = samples.schema().size();
        this.large = new boolean[fields];
        var units = new long[fields];
        var row = new long[fields];
        long inBatch = 0;
        for (long i = 0; i < samples.count(); i++) {
            long rowBytes = measure(i, row);
            if (i == 0 || i - firsts[count - 1] >= rows || inBatch + rowBytes > bytes) {
                begin(i);
                Arrays.fill(units, 0);
                inBatch = 0;
            }
            inBatch += rowBytes;
            for (int f = 0; f < fields; f++) {
                units[f] += row[f];
                large[f] |= units[f] > Integer.MAX_VALUE;
            }
        }
    }

    private void begin(long first) {
        if (count == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * count);
        }
        firsts[count++] = first;
    }

    /** Notes by how much a sample moves the offsets of each column; returns the bytes of its values. */
    private long measure(long sample, long[] row) {
        long bytes = 0;
        for (int f = 0; f < row.length; f++) {
            long length = samples.length(sample, f);
            bytes += length;
            row[f] = switch (samples.schema().type(f)) {
                case FieldType.Bytes _, FieldType.Text _, FieldType.Texts _ -> length;
                case FieldType.Array array -> {
                    checkShape(sample, f);
                    yield length / array.dtype().bytes();
                }
                case FieldType.Scalar _, FieldType.Tensor _ -> 0;
            };
        }
        return bytes;
    }

    private void checkShape(long sample, int field) {
        for (long dimension : samples.shape(sample, field)) {
            if (dimension > Integer.MAX_VALUE) {
                throw new StokerException(samples.describe(sample) + ": field '"
                        + samples.schema().fields().get(field).name() + "' has a dimension of " + dimension
                        + ", but in an Arrow file it is at most " + Integer.MAX_VALUE
                        + "; choose another format, such as stk");
            }
        }
    }

    int count() {
        return count;
    }

    boolean isLarge(int field) {
        return large[field];
    }

    long first(int batch) {
        return batch == count ? samples.count() : firsts[batch];
    }

    /** The batch that begins with a sample. */
    int startingAt(long sample) {
        return Arrays.binarySearch(firsts, 0, count, sample);
    }
}

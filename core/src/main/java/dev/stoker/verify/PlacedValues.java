package dev.stoker.verify;

import dev.stoker.StokerException;
import dev.stoker.index.Column;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The values of one field in the order of their places, without the empty ones. */
final class PlacedValues {
    private final int field;
    private final Column column;
    private final long count;
    /** The samples in the order of their places; null if that is the order of all samples. */
    private final long @Nullable [] samples;

    /** Is told of values that have no place. */
    interface Unplaced {
        void empty(long sample);

        void wrong(long sample, String reason);
    }

    private PlacedValues(int field, Column column, long count, long @Nullable [] samples) {
        this.field = field;
        this.column = column;
        this.count = count;
        this.samples = samples;
    }

    /** @param limit the number of bytes that places count in */
    static PlacedValues of(int field, Column column, SampleSubset part, long limit, Unplaced unplaced) {
        long last = -1;
        long placed = 0;
        boolean inOrder = true;
        for (long i = 0; i < part.count(); i++) {
            long sample = part.sample(i);
            if (isPlaced(column, sample, unplaced)) {
                inOrder &= column.offset(sample) >= last;
                last = column.offset(sample);
                placed++;
            }
        }
        if (inOrder && placed == part.count() && part.isAll()) {
            return new PlacedValues(field, column, placed, null);
        }
        var samples = new long[Math.toIntExact(placed)];
        int next = 0;
        for (long i = 0; i < part.count(); i++) {
            long sample = part.sample(i);
            if (isPlaced(column, sample, null)) {
                samples[next++] = sample;
            }
        }
        return new PlacedValues(field, column, placed, inOrder ? samples : sorted(samples, column, limit));
    }

    private static boolean isPlaced(Column column, long sample, @Nullable Unplaced unplaced) {
        try {
            long length = column.length(sample);
            if (length == 0 && unplaced != null) {
                unplaced.empty(sample);
            }
            return length > 0;
        } catch (StokerException e) {
            if (unplaced != null) {
                unplaced.wrong(sample, String.valueOf(e.getMessage()));
            }
            return false;
        }
    }

    /** Sorts by place, with the position in the low bits; of a huge file the lowest bits of a place do not count. */
    private static long[] sorted(long[] samples, Column column, long limit) {
        int positionBits = Long.SIZE - Long.numberOfLeadingZeros(samples.length);
        int placeBits = Long.SIZE - Long.numberOfLeadingZeros(limit);
        int dropped = Math.max(0, placeBits + positionBits - (Long.SIZE - 1));
        var keys = new long[samples.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = column.offset(samples[i]) >>> dropped << positionBits | i;
        }
        Arrays.parallelSort(keys);
        var result = new long[samples.length];
        for (int i = 0; i < keys.length; i++) {
            result[i] = samples[(int) (keys[i] & ((1L << positionBits) - 1))];
        }
        return result;
    }

    int field() {
        return field;
    }

    long count() {
        return count;
    }

    long sample(long i) {
        return samples == null ? i : samples[(int) i];
    }

    long offset(long i) {
        return column.offset(sample(i));
    }

    long length(long i) {
        return column.length(sample(i));
    }

    int checksum(long i) {
        return column.checksum(sample(i));
    }

    /** Behind the beginning of the last value. */
    long end() {
        return count == 0 ? 0 : offset(count - 1) + 1;
    }

    /** The first value that begins there or behind. */
    long first(long offset) {
        long low = 0;
        long high = count;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (offset(middle) < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

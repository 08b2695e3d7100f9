package dev.stoker.formats.lmdb;

import dev.stoker.StokerException;
import dev.stoker.format.SmallValues;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Split;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The samples' own keys, sorted; the usual sources have them in this order already. */
final class SampleKeys implements Keys {
    private final Samples samples;
    private final int field;
    private final long first;
    private final long count;
    /** The samples by the order of their keys, counted from the first; null if that is their own order. */
    private final int @Nullable [] order;

    private SampleKeys(Samples samples, int field, Split split) {
        this.samples = samples;
        this.field = field;
        this.first = split.first();
        this.count = split.count();
        this.order = isSorted() ? null : sorted();
    }

    static SampleKeys of(Samples samples, int field, Split split) {
        return new SampleKeys(samples, field, split);
    }

    private boolean isSorted() {
        byte[] previous = {};
        boolean sorted = true;
        for (long i = 0; i < count; i++) {
            byte[] key = read(first + i);
            if (key.length == 0 || key.length > Page.MAX_KEY_BYTES) {
                throw new StokerException("format lmdb cannot hold the key '" + shown(key) + "': a key has 1 to "
                        + Page.MAX_KEY_BYTES + " bytes, this one has " + key.length + "; use --keys number");
            }
            // All are looked at, even when it is known, so that what is refused does not depend on the order.
            sorted &= Arrays.compareUnsigned(previous, key) < 0;
            previous = key;
        }
        return sorted;
    }

    private int[] sorted() {
        var keys = new byte[Math.toIntExact(count)][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = read(first + i);
        }
        int[] sorted = IntStream.range(0, keys.length)
                .boxed()
                .sorted((a, b) -> Arrays.compareUnsigned(keys[a], keys[b]))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int i = 1; i < sorted.length; i++) {
            if (Arrays.equals(keys[sorted[i - 1]], keys[sorted[i]])) {
                throw new StokerException("format lmdb cannot hold two samples with the key '" + shown(keys[sorted[i]])
                        + "' in one database; use --keys number");
            }
        }
        return sorted;
    }

    private byte[] read(long sample) {
        return SmallValues.read(samples, sample, field);
    }

    static String shown(byte[] key) {
        String text = new String(key, StandardCharsets.UTF_8);
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sample(long rank) {
        return first + (order == null ? rank : order[Math.toIntExact(rank)]);
    }

    @Override
    public byte[] key(long rank) {
        return read(sample(rank));
    }

    @Override
    public int keyBytes(long rank) {
        return Math.toIntExact(samples.length(sample(rank), field));
    }
}

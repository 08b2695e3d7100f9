package dev.stoker.formats.lmdb;

import dev.stoker.StokerException;
import dev.stoker.format.RunWriter;
import java.util.Arrays;
import java.util.List;

/** The entries of the main database: samples, if they are there, and between them the records that are none. */
final class MainEntries implements Entries {
    /** An entry that is no sample. */
    record Extra(byte[] key, int flags, byte[] value) {}

    private final Entries samples;
    private final List<Extra> extras;
    /** The entries that are extras, ascending. */
    private final long[] places;

    MainEntries(Entries samples, List<Extra> unsorted) {
        this.samples = samples;
        this.extras = unsorted.stream()
                .sorted((a, b) -> Arrays.compareUnsigned(a.key(), b.key()))
                .toList();
        this.places = new long[extras.size()];
        for (int i = 0; i < places.length; i++) {
            byte[] key = extras.get(i).key();
            if (i > 0 && Arrays.equals(key, extras.get(i - 1).key())) {
                throw new StokerException("format lmdb would need two databases with the name '" + SampleKeys.shown(key)
                        + "'; rename a split, or a field with --name");
            }
            places[i] = samplesBefore(key) + i;
        }
    }

    private long samplesBefore(byte[] key) {
        long low = 0;
        long high = samples.count();
        while (low < high) {
            long middle = (low + high) >>> 1;
            int order = Arrays.compareUnsigned(samples.key(middle), key);
            if (order == 0) {
                throw new StokerException("format lmdb cannot hold the key '" + SampleKeys.shown(key)
                        + "': a field's database has that name; use --keys number, or rename the field with --name");
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public long count() {
        return samples.count() + places.length;
    }

    @Override
    public byte[] key(long entry) {
        int extra = Arrays.binarySearch(places, entry);
        return extra >= 0 ? extras.get(extra).key() : samples.key(entry + 1 + extra);
    }

    @Override
    public int keyBytes(long entry) {
        int extra = Arrays.binarySearch(places, entry);
        return extra >= 0 ? extras.get(extra).key().length : samples.keyBytes(entry + 1 + extra);
    }

    @Override
    public long valueBytes(long entry) {
        int extra = Arrays.binarySearch(places, entry);
        return extra >= 0 ? extras.get(extra).value().length : samples.valueBytes(entry + 1 + extra);
    }

    @Override
    public int flags(long entry) {
        int extra = Arrays.binarySearch(places, entry);
        return extra >= 0 ? extras.get(extra).flags() : 0;
    }

    @Override
    public void putValue(long entry, RunWriter out) {
        int extra = Arrays.binarySearch(places, entry);
        if (extra >= 0) {
            out.put(extras.get(extra).value());
        } else {
            samples.putValue(entry + 1 + extra, out);
        }
    }

    @Override
    public long rank(long entry) {
        int extra = Arrays.binarySearch(places, entry);
        return entry - (extra >= 0 ? extra : -1 - extra);
    }
}

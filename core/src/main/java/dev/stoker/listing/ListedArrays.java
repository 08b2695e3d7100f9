package dev.stoker.listing;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;

/** Arrays of one dimension, in memory. */
public final class ListedArrays implements ListedColumn {
    private final ListedValues values;
    private final long elementBytes;

    public ListedArrays(ListedValues values, long elementBytes) {
        this.values = values;
        this.elementBytes = elementBytes;
    }

    @Override
    public long length(long sample) {
        return values.length(sample);
    }

    @Override
    public void read(long sample, long from, MemorySegment to) {
        values.read(sample, from, to);
    }

    @Override
    public long[] shape(long sample) {
        return new long[] {values.length(sample) / elementBytes};
    }

    @Override
    public void fingerprint(MessageDigest digest) {
        values.fingerprint(digest);
    }

    @Override
    public void close() {
        values.close();
    }
}

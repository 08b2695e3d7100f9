package dev.stoker.listing;

import dev.stoker.io.Fingerprints;
import dev.stoker.io.GrowingBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.Set;

/** Values of any length, in memory. */
public final class ListedValues implements ListedColumn {
    private final GrowingBuffer values = new GrowingBuffer();
    private final GrowingBuffer ends = new GrowingBuffer();

    public void add(byte[] value) {
        values.add(value);
        ends.addLong(values.size());
    }

    public long count() {
        return ends.size() / 8;
    }

    private long start(long sample) {
        return sample == 0 ? 0 : ends.getLong(sample - 1);
    }

    public byte[] get(long sample) {
        long start = start(sample);
        return values.bytes().asSlice(start, ends.getLong(sample) - start).toArray(ValueLayout.JAVA_BYTE);
    }

    /** The same without some; closes these if there are any. */
    ListedValues without(Set<Long> numbers) {
        if (numbers.isEmpty()) {
            return this;
        }
        var others = new ListedValues();
        for (long i = 0; i < count(); i++) {
            if (!numbers.contains(i)) {
                others.add(get(i));
            }
        }
        close();
        return others;
    }

    boolean is(long sample, byte[] value) {
        return length(sample) == value.length
                && values.bytes().asSlice(start(sample), value.length).mismatch(MemorySegment.ofArray(value)) < 0;
    }

    @Override
    public long length(long sample) {
        return ends.getLong(sample) - start(sample);
    }

    @Override
    public void read(long sample, long from, MemorySegment to) {
        MemorySegment.copy(values.bytes(), start(sample) + from, to, 0, to.byteSize());
    }

    @Override
    public void fingerprint(MessageDigest digest) {
        Fingerprints.add(digest, values.bytes());
        Fingerprints.add(digest, ends.bytes());
    }

    @Override
    public void close() {
        values.close();
        ends.close();
    }
}

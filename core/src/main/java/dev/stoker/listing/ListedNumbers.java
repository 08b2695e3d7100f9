package dev.stoker.listing;

import dev.stoker.io.Fingerprints;
import dev.stoker.io.GrowingBuffer;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;

/** Values of one length, in memory. */
public final class ListedNumbers implements ListedColumn {
    private final GrowingBuffer values;
    private final long width;

    public ListedNumbers(GrowingBuffer values, long width) {
        this.values = values;
        this.width = width;
    }

    @Override
    public long length(long sample) {
        return width;
    }

    @Override
    public void read(long sample, long from, MemorySegment to) {
        MemorySegment.copy(values.bytes(), sample * width + from, to, 0, to.byteSize());
    }

    @Override
    public void fingerprint(MessageDigest digest) {
        Fingerprints.add(digest, values.bytes());
    }

    @Override
    public void close() {
        values.close();
    }
}

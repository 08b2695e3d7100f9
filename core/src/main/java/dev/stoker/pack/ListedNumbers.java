package dev.stoker.pack;

import dev.stoker.memory.GrowingBytes;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;

/** Values of one length, in memory. */
final class ListedNumbers implements Listed {
    private final GrowingBytes values;
    private final long width;

    ListedNumbers(GrowingBytes values, long width) {
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

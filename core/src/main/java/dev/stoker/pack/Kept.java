package dev.stoker.pack;

import dev.stoker.memory.GrowingBytes;
import dev.stoker.memory.SeenFile;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.List;

/**
 * The samples of a listing whose files could be read. Schema and classes stay those of the whole: a class keeps its
 * number even if none of its files is left.
 */
final class Kept implements Samples {
    private final Samples all;
    private final GrowingBytes kept;

    private Kept(Samples all, GrowingBytes kept) {
        this.all = all;
        this.kept = kept;
    }

    static Samples of(Samples all, ListedFiles files) {
        if (!files.hasBad()) {
            return all;
        }
        var kept = new GrowingBytes();
        for (long i = 0; i < all.count(); i++) {
            if (!files.isBad(i)) {
                kept.addLong(i);
            }
        }
        return new Kept(all, kept);
    }

    @Override
    public Schema schema() {
        return all.schema();
    }

    @Override
    public List<Split> splits() {
        return List.of();
    }

    @Override
    public long count() {
        return kept.size() / 8;
    }

    @Override
    public long length(long sample, int field) {
        return all.length(kept.getLong(sample), field);
    }

    @Override
    public long[] shape(long sample, int field) {
        return all.shape(kept.getLong(sample), field);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        all.read(kept.getLong(sample), field, from, to);
    }

    @Override
    public String describe(long sample) {
        return all.describe(kept.getLong(sample));
    }

    @Override
    public String fingerprint() {
        MessageDigest digest = Fingerprints.begin();
        Fingerprints.add(digest, all.fingerprint());
        Fingerprints.add(digest, kept.bytes());
        return Fingerprints.end(digest);
    }

    @Override
    public List<SeenFile> seenFiles() {
        return all.seenFiles();
    }

    @Override
    public void close() {
        kept.close();
        all.close();
    }
}

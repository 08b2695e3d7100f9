package dev.stoker.listing;

import dev.stoker.io.Fingerprints;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.sample.FilterSamples;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Split;
import java.security.MessageDigest;
import java.util.List;

/**
 * The samples of a listing whose files could be read. Schema and classes stay those of the whole: a class keeps its
 * number even if none of its files is left.
 */
public final class ReadableSamples extends FilterSamples {
    private final GrowingBuffer kept;

    private ReadableSamples(Samples all, GrowingBuffer kept) {
        super(all);
        this.kept = kept;
    }

    public static Samples of(Samples all, ListedFiles files) {
        if (!files.hasBad()) {
            return all;
        }
        var kept = new GrowingBuffer();
        for (long i = 0; i < all.count(); i++) {
            if (!files.isBad(i)) {
                kept.addLong(i);
            }
        }
        return new ReadableSamples(all, kept);
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
    protected long source(long sample) {
        return kept.getLong(sample);
    }

    @Override
    public String fingerprint() {
        MessageDigest digest = Fingerprints.begin();
        Fingerprints.add(digest, samples.fingerprint());
        Fingerprints.add(digest, kept.bytes());
        return Fingerprints.end(digest);
    }

    @Override
    public void close() {
        kept.close();
        super.close();
    }
}

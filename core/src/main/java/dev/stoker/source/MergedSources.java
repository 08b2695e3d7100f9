package dev.stoker.source;

import dev.stoker.StokerException;
import dev.stoker.listing.KeyTable;
import dev.stoker.listing.ListedValues;
import dev.stoker.sample.Field;
import dev.stoker.sample.FilterSamples;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The samples of several sources as those of one: without splits, and with different keys. */
final class MergedSources extends FilterSamples {
    private MergedSources(Samples splits) {
        super(splits);
    }

    /** Merges sources that are splits so far. On failure they stay open. */
    static Samples of(Samples splits) {
        requireDifferentKeys(splits);
        return new MergedSources(splits);
    }

    private static void requireDifferentKeys(Samples splits) {
        int field = splits.schema().find(Field.KEY);
        if (field < 0) {
            return;
        }
        try (var keys = new ListedValues();
                var table = new KeyTable(keys)) {
            for (long i = 0; i < splits.count(); i++) {
                var key = new byte[Math.toIntExact(splits.length(i, field))];
                splits.read(i, field, 0, MemorySegment.ofArray(key));
                long number = table.number(key);
                if (number < i) {
                    throw new StokerException(sourceOf(splits, i) + ": '" + splits.describe(i)
                            + "' has the key of a sample of " + sourceOf(splits, number)
                            + "; rename one of the two, or make the sources splits (--split NAME=SRC)");
                }
            }
        }
    }

    private static String sourceOf(Samples splits, long sample) {
        return splits.splits().stream()
                .filter(split -> sample < split.end())
                .findFirst()
                .map(Split::name)
                .orElse("");
    }

    @Override
    public List<Split> splits() {
        return List.of();
    }
}

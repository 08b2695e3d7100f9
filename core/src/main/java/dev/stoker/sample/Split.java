package dev.stoker.sample;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import java.util.List;

/** A named part of a container's samples, such as {@code train}: the samples first … first + count - 1. */
@PublicApi
public record Split(String name, long first, long count) {
    public Split {
        if (name.isEmpty() || first < 0 || count < 0) {
            throw new StokerException("split '" + name + "' at sample " + first + " with " + count
                    + " samples: it needs a name, and numbers that are not negative");
        }
    }

    public long end() {
        return first + count;
    }

    /** Checks that splits follow each other without gaps, over all samples. */
    public static List<Split> checked(List<Split> splits, long samples) {
        long end = 0;
        for (Split split : splits) {
            if (split.first() != end) {
                throw new StokerException("split '" + split.name() + "' should begin at sample " + end
                        + " but begins at " + split.first());
            }
            end = split.end();
        }
        if (!splits.isEmpty() && end != samples) {
            throw new StokerException("the splits hold " + end + " samples but there are " + samples);
        }
        return List.copyOf(splits);
    }
}

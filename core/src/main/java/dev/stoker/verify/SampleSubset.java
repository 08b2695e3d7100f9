package dev.stoker.verify;

import dev.stoker.UsageException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Which samples are looked at, in ascending order: all, or a random part that is spread over all of them. */
public final class SampleSubset {
    private final long count;
    private final long @Nullable [] chosen;

    private SampleSubset(long count, long @Nullable [] chosen) {
        this.count = count;
        this.chosen = chosen;
    }

    public static SampleSubset all(long samples) {
        return new SampleSubset(samples, null);
    }

    /** One sample out of each of {@code wanted} parts of equal size; the same seed chooses the same ones. */
    public static SampleSubset random(long samples, long wanted, long seed) {
        if (wanted >= samples) {
            return all(samples);
        }
        var random = new SplittableRandom(seed);
        var chosen = new long[Math.toIntExact(wanted)];
        for (int i = 0; i < chosen.length; i++) {
            long first = start(samples, wanted, i);
            chosen[i] = first + random.nextLong(start(samples, wanted, i + 1) - first);
        }
        return new SampleSubset(wanted, chosen);
    }

    private static long start(long samples, long parts, long part) {
        return samples / parts * part + Math.min(part, samples % parts);
    }

    /** A random part by its words: {@code 1%} of the samples, at least one, or a number of them. */
    public static SampleSubset of(String words, long samples, long seed) {
        boolean isShare = words.endsWith("%");
        try {
            double number = Double.parseDouble(isShare ? words.substring(0, words.length() - 1) : words);
            if (number > 0 && (isShare ? number <= 100 : number == Math.rint(number) && number < Integer.MAX_VALUE)) {
                return random(samples, isShare ? (long) Math.ceil(samples * number / 100) : (long) number, seed);
            }
        } catch (NumberFormatException e) {
            // Refused below, as zero is.
        }
        throw new UsageException("--sample takes a share such as 1% or a number of samples, not '" + words + "'");
    }

    public boolean isAll() {
        return chosen == null;
    }

    public long count() {
        return count;
    }

    /** The number of the {@code i}-th of these samples. */
    public long sample(long i) {
        return chosen == null ? i : chosen[(int) i];
    }
}

package dev.stoker.bench.advise;

import java.util.Arrays;

/** How large files or samples are, in bytes. */
public record SizeSpread(long smallest, long median, long p99, long largest, double mean) {
    /** Of at least one size. */
    static SizeSpread of(long[] sizes) {
        long[] sorted = sizes.clone();
        Arrays.sort(sorted);
        return new SizeSpread(
                sorted[0],
                at(sorted, 0.5),
                at(sorted, 0.99),
                sorted[sorted.length - 1],
                Arrays.stream(sorted).average().orElseThrow());
    }

    private static long at(long[] sorted, double part) {
        return sorted[(int) Math.ceil(part * (sorted.length - 1))];
    }

    /** Whether all are of one size. */
    public boolean isFixed() {
        return smallest == largest;
    }
}

package dev.stoker.bench.sweep;

import dev.stoker.bench.Statistics;

/**
 * How many times as fast one measurement is as another of the same rounds, in bytes per second.
 *
 * @param format of the first
 * @param ratio the median over the rounds
 */
public record Comparison(String format, double ratio, double lowest, double highest) {
    /** Less is of no use to anybody, even where it is sure. */
    private static final double LEAST = 0.03;

    public static Comparison of(Measurement one, Measurement other) {
        double[] first = one.byteRates();
        double[] second = other.byteRates();
        var ratios = new double[Math.min(first.length, second.length)];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = first[round] / second[round];
        }
        return new Comparison(
                one.format(), Statistics.median(ratios), Statistics.lowest(ratios), Statistics.highest(ratios));
    }

    /** Whether it was faster in every round, and by more than a trifle. */
    public boolean isFaster() {
        return lowest > 1 && ratio > 1 + LEAST;
    }

    /** Whether it was slower in every round, and by more than a trifle. */
    public boolean isSlower() {
        return highest < 1 && ratio < 1 - LEAST;
    }

    /** Whether the rounds do not agree on who is faster, or by a trifle only. */
    public boolean isTie() {
        return !isFaster() && !isSlower();
    }
}

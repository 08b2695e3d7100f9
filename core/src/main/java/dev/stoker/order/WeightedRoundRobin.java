package dev.stoker.order;

import dev.stoker.StokerException;

/**
 * Deals an endless row of turns to parts by their weights, evenly, as a pure function of the turn. The parts are split
 * in two of about equal weight, again and again; of the first m turns that reach a split, m times the left side's share
 * of the weight, rounded, go left. So a split adds at most 1/2 to a part's distance from its share, at any turn.
 */
final class WeightedRoundRobin {
    /** The greatest sum of weights; keeps all products within 64 bits. */
    static final long MAX_WEIGHT = 1L << 30;

    private final int parts;
    /** The sums of the weights before each part, and of all. */
    private final long[] before;

    WeightedRoundRobin(long[] weights) {
        this.parts = weights.length;
        this.before = new long[parts + 1];
        for (int i = 0; i < parts; i++) {
            before[i + 1] = Math.addExact(before[i], weights[i]);
        }
        if (parts == 0 || before[parts] > MAX_WEIGHT) {
            throw new StokerException("a mix should have parts whose weights sum up to at most " + MAX_WEIGHT
                    + " but has " + parts + " with a sum of " + before[parts]);
        }
    }

    /** Whose turn it is, and how many turns it had before. */
    record Turn(int part, long element) {}

    Turn at(long turn) {
        long element = turn;
        int first = 0;
        int end = parts;
        while (end - first > 1) {
            int middle = split(first, end);
            long total = before[end] - before[first];
            long left = before[middle] - before[first];
            long dealtLeft = dealtLeft(element, left, total);
            if (dealtLeft(element + 1, left, total) > dealtLeft) {
                end = middle;
                element = dealtLeft;
            } else {
                first = middle;
                element -= dealtLeft;
            }
        }
        return new Turn(first, element);
    }

    /** Where the parts {@code [first, end)} are split: behind the one with which half of their weight is reached. */
    private int split(int first, int end) {
        long total = before[end] - before[first];
        int middle = first + 1;
        while (middle < end - 1 && 2 * (before[middle] - before[first]) < total) {
            middle++;
        }
        return middle;
    }

    /** {@code turns * left / total}, rounded. */
    private static long dealtLeft(long turns, long left, long total) {
        return turns / total * left + (2 * (turns % total) * left + total) / (2 * total);
    }
}

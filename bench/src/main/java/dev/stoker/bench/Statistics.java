package dev.stoker.bench;

import java.util.Arrays;

/** What several measurements of one thing say together. */
public final class Statistics {
    private Statistics() {}

    /** The one in the middle, or half way between the two there. */
    public static double median(double... values) {
        return quantile(0.5, values);
    }

    /**
     * The value below which a part of all lies, between two of them in proportion; NaN of none.
     *
     * @param part from 0, the lowest, to 1, the highest
     */
    public static double quantile(double part, double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double place = part * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    public static double lowest(double... values) {
        return quantile(0, values);
    }

    public static double highest(double... values) {
        return quantile(1, values);
    }
}

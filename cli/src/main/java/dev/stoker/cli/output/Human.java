package dev.stoker.cli.output;

import dev.stoker.text.Sizes;
import java.util.Locale;

/** Numbers as people read them. */
public final class Human {
    private Human() {}

    public static String bytes(double bytes) {
        return Sizes.human(bytes);
    }

    /** With a comma after every three digits. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** With its unit, which gets an s unless the count is 1. */
    public static String count(long count, String unit) {
        return count(count) + " " + unit + (count == 1 ? "" : "s");
    }

    public static String rate(double perSecond) {
        return perSecond >= 10_000
                ? String.format(Locale.ROOT, "%.1fk", perSecond / 1000)
                : String.format(Locale.ROOT, "%.0f", perSecond);
    }

    public static String seconds(double seconds) {
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.2f s", seconds);
        }
        long whole = Math.round(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d h", whole / 3600, whole / 60 % 60);
    }
}

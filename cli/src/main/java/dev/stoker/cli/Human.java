package dev.stoker.cli;

import dev.stoker.text.Sizes;
import java.util.Locale;

/** Numbers as people read them. */
final class Human {
    private Human() {}

    static String bytes(double bytes) {
        return Sizes.human(bytes);
    }

    /** With a comma after every three digits. */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String rate(double perSecond) {
        return perSecond >= 10_000
                ? String.format(Locale.ROOT, "%.1fk", perSecond / 1000)
                : String.format(Locale.ROOT, "%.0f", perSecond);
    }

    static String seconds(double seconds) {
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

package dev.stoker.text;

import java.util.Locale;

/** Numbers other than bytes as people read them; those of bytes are {@link Sizes}'. */
public final class Figures {
    private Figures() {}

    /** With a comma after every three digits. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** So many each second, shortened: {@code 12.3k}. */
    public static String rate(double perSecond) {
        return perSecond >= 10_000
                ? String.format(Locale.ROOT, "%.1fk", perSecond / 1000)
                : String.format(Locale.ROOT, "%.0f", perSecond);
    }

    /** A time: {@code 0.25 s}, {@code 42 s}, {@code 3:05 min}, {@code 2:10 h}. */
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

package dev.stoker.cli;

import java.util.Locale;

/** Numbers as people read them. */
final class Human {
    private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

    private Human() {}

    static String bytes(double bytes) {
        int unit = 0;
        double value = bytes;
        while (value >= 999.5 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        String pattern = unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, pattern, value, UNITS[unit]);
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

package dev.stoker.bench;

import java.util.List;
import java.util.Locale;

/** Figures in few digits, as people compare them. */
public final class Figures {
    private Figures() {}

    /** A rate: {@code 950}, {@code 12.4k}, {@code 1.3M}. */
    public static String rate(double perSecond) {
        if (perSecond >= 999_500) {
            return format(perSecond >= 9_995_000 ? "%.0fM" : "%.1fM", perSecond / 1e6);
        }
        if (perSecond >= 9_995) {
            return format(perSecond >= 99_950 ? "%.0fk" : "%.1fk", perSecond / 1e3);
        }
        return format("%.0f", perSecond);
    }

    /** How many times as much: {@code 0.63}, {@code 1.24}, {@code 3.4}, {@code 12}. */
    public static String ratio(double ratio) {
        return format(ratio >= 9.95 ? "%.0f" : ratio >= 1.995 ? "%.1f" : "%.2f", ratio);
    }

    /** A time: {@code 0.8 µs}, {@code 340 µs}, {@code 1.2 ms}, {@code 3.1 s}. */
    public static String micros(double micros) {
        if (micros >= 999_500) {
            return format("%.1f s", micros / 1e6);
        }
        if (micros >= 999.5) {
            return format(micros >= 99_950 ? "%.0f ms" : "%.1f ms", micros / 1e3);
        }
        return format(micros >= 9.95 ? "%.0f µs" : "%.1f µs", micros);
    }

    public static String count(long count) {
        return format("%,d", count);
    }

    /** Names as a sentence has them: {@code a, b and c}. */
    public static String list(List<String> names) {
        return names.size() < 2
                ? String.join("", names)
                : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
    }

    private static String format(String pattern, Object value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}

package dev.stoker.text;

import dev.stoker.StokerException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as people write them: {@code 65536}, {@code 64k}, {@code 1MiB}, {@code 2G}. A k is 1,024. */
public final class Sizes {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([kmgt]?)(i?b)?");
    private static final String UNITS = "kmgt";
    private static final String[] SHOWN = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

    private Sizes() {}

    /**
     * Reads a size of at least one byte.
     *
     * @param option who asks, for the error
     */
    public static long parse(String option, String text) {
        Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (matcher.matches()) {
            int unit = matcher.group(2).isEmpty() ? 0 : 1 + UNITS.indexOf(matcher.group(2));
            long number = Long.parseLong(matcher.group(1));
            if (number > 0 && number <= Long.MAX_VALUE >> 10 * unit) {
                return number << 10 * unit;
            }
        }
        throw new StokerException(option + " takes a number of bytes such as 65536, 64k or 1MiB, not '" + text + "'");
    }

    /** As messages show it, with a k of 1,000: {@code 12.3 MB}. */
    public static String human(double bytes) {
        int unit = 0;
        double value = bytes;
        while (value >= 999.5 && unit < SHOWN.length - 1) {
            value /= 1000;
            unit++;
        }
        String pattern = unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, pattern, value, SHOWN[unit]);
    }
}

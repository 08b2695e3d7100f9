package dev.stoker.text;

import dev.stoker.UsageException;
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
        long bytes = of(text);
        if (bytes == 0) {
            throw new UsageException(
                    option + " takes a number of bytes such as 65536, 64k or 1MiB, not '" + text + "'");
        }
        return bytes;
    }

    /** The same where a plain number is refused: people mean MiB by it as often as bytes. */
    public static long parseWithUnit(String option, String text) {
        long bytes = of(text);
        if (bytes == 0 || Character.isDigit(text.strip().charAt(text.strip().length() - 1))) {
            throw new UsageException(option + " takes a size with its unit, such as 512MiB or 2G, not '" + text + "'");
        }
        return bytes;
    }

    /** The bytes of a size; 0 if the text is none. */
    public static long of(String text) {
        Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return 0;
        }
        String unit = matcher.group(2);
        int shift = unit.isEmpty() ? 0 : 10 * (1 + UNITS.indexOf(unit));
        long number = Long.parseLong(matcher.group(1));
        return number <= Long.MAX_VALUE >> shift ? number << shift : 0;
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

package dev.stoker.text;

import java.util.function.IntFunction;

/**
 * Text for a terminal. Names of files and classes are whatever a data set says they are, and a terminal obeys what it is
 * shown: such a name could clear the screen, hide lines, or type for the user. So what is no letter is shown by its number.
 */
public final class Printable {
    private Printable() {}

    /** A line: all that a terminal would obey, line ends too, is shown as {@code \n}, {@code \x1b} or {@code \u005cu202e}. */
    public static String line(String text) {
        return of(text, "", Printable::number);
    }

    /** Several lines: the same, but for line ends and tabs. */
    public static String lines(String text) {
        return of(text, "\n\t", Printable::number);
    }

    /** A document in JSON, in which only strings can hold such characters, and there their numbers mean the same. */
    public static String json(String document) {
        return of(document, "\n\r\t", "\\u%04x"::formatted);
    }

    private static String of(String text, String kept, IntFunction<String> number) {
        StringBuilder shown = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isHarmless = !isObeyed(c) || kept.indexOf(c) >= 0;
            if (shown == null && !isHarmless) {
                shown = new StringBuilder().append(text, 0, i);
            }
            if (shown != null) {
                shown.append(isHarmless ? String.valueOf(c) : number.apply(c));
            }
        }
        return shown == null ? text : shown.toString();
    }

    /** Control characters, and those that turn the direction of writing, by which one name looks like another. */
    private static boolean isObeyed(char c) {
        return Character.isISOControl(c)
                || c == '\u2028'
                || c == '\u2029'
                || c == '\u200e'
                || c == '\u200f'
                || c == '\u061c'
                || c >= '\u202a' && c <= '\u202e'
                || c >= '\u2066' && c <= '\u2069';
    }

    private static String number(int c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> (c < 0x100 ? "\\x%02x" : "\\u%04x").formatted(c);
        };
    }
}

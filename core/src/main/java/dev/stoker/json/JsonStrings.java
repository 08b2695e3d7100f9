package dev.stoker.json;

import dev.stoker.text.TextInput;
import java.util.Locale;

/** The strings of a document: their escapes, and the surrogate pairs among them. */
final class JsonStrings {
    private static final boolean[] STOPS = stops();

    private final TextInput input;
    private final int maxStringBytes;

    JsonStrings(TextInput input, int maxStringBytes) {
        this.input = input;
        this.maxStringBytes = maxStringBytes;
    }

    /** Reads the string whose opening quote comes next. */
    String read() {
        input.advance();
        input.beginToken(maxStringBytes);
        while (true) {
            int b = input.takeUntil(STOPS);
            if (b == '"') {
                String text = input.endToken();
                input.advance();
                return text;
            }
            if (b != '\\') {
                throw input.error(
                        b < 0 ? "'\"' at the end of the string" : "an escape such as \\n for a control character",
                        TextInput.describe(b));
            }
            input.advance();
            input.put(escaped());
        }
    }

    private int escaped() {
        int b = input.peek();
        int character = switch (b) {
            case '"', '\\', '/' -> b;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> -1;
            default -> throw input.error("one of \"\\/bfnrtu after '\\'", TextInput.describe(b));
        };
        input.advance();
        return character >= 0 ? character : escapedUnicode();
    }

    private int escapedUnicode() {
        int unit = fourHexDigits();
        if (unit < Character.MIN_SURROGATE || unit > Character.MAX_SURROGATE) {
            return unit;
        }
        if (unit >= Character.MIN_LOW_SURROGATE) {
            throw input.error("a high surrogate before the low one", escape(unit) + " alone");
        }
        for (char c : new char[] {'\\', 'u'}) {
            if (input.peek() != c) {
                throw input.error("a low surrogate after " + escape(unit), TextInput.describe(input.peek()));
            }
            input.advance();
        }
        int low = fourHexDigits();
        if (low < Character.MIN_LOW_SURROGATE || low > Character.MAX_LOW_SURROGATE) {
            throw input.error("a low surrogate after " + escape(unit), escape(low));
        }
        return Character.toCodePoint((char) unit, (char) low);
    }

    private int fourHexDigits() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int b = input.peek();
            // Character.digit knows digits beyond ASCII, but b is one byte and none of those is below 256.
            int digit = Character.digit(b, 16);
            if (digit < 0) {
                throw input.error("four hexadecimal digits after \\u", TextInput.describe(b));
            }
            value = value << 4 | digit;
            input.advance();
        }
        return value;
    }

    private static String escape(int unit) {
        return String.format(Locale.ROOT, "\\u%04X", unit);
    }

    private static boolean[] stops() {
        boolean[] stops = TextInput.stops("\"\\");
        for (int control = 0; control < ' '; control++) {
            stops[control] = true;
        }
        return stops;
    }
}

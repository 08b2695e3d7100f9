package dev.stoker.manifest;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import dev.stoker.json.JsonReader;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One value of a manifest: what it looks like, and its text as it was written. */
record ManifestCell(Kind kind, String text) {
    static final ManifestCell MISSING = new ManifestCell(Kind.MISSING, "");

    private static final long EXACT_IN_DOUBLE = 1L << 53;
    private static final Pattern INTEGER = Pattern.compile("-?[1-9][0-9]{0,18}|0");
    private static final Pattern FLOAT =
            Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|nan|-?inf");

    enum Kind {
        /** Null, or an empty field of a table. */
        MISSING,
        INTEGER,
        /** An integer that a double does not hold exactly. */
        LARGE_INTEGER,
        FLOAT,
        BOOL,
        TEXT,
        /** A JSON array of strings. */
        TEXTS,
        /** The same as a field of a table: only if all rows have such, it is not just text. */
        TEXTS_IN_TABLE
    }

    /** A field of a table, which is text that may look like something else. */
    static ManifestCell ofTable(String text) {
        if (text.isEmpty()) {
            return MISSING;
        }
        char first = text.charAt(0);
        if (first == '[' && textsOrNull(text) != null) {
            return new ManifestCell(Kind.TEXTS_IN_TABLE, text);
        }
        if (first == '-' || first == 'n' || first == 'i' || (first >= '0' && first <= '9')) {
            return ofNumber(text);
        }
        boolean isBool = text.equals("true") || text.equals("false") || text.equals("True") || text.equals("False");
        return new ManifestCell(isBool ? Kind.BOOL : Kind.TEXT, text);
    }

    /** The value at which a reader stands. What is neither text, number nor boolean is kept as its JSON text. */
    static ManifestCell ofJson(JsonReader json) {
        return switch (json.peek()) {
            case STRING -> new ManifestCell(Kind.TEXT, json.string());
            case NUMBER -> ofJsonNumber(json.number());
            case BOOLEAN -> new ManifestCell(Kind.BOOL, String.valueOf(json.bool()));
            case NULL -> {
                json.nullValue();
                yield MISSING;
            }
            default -> {
                Object value = Json.readValue(json);
                yield new ManifestCell(isTexts(value) ? Kind.TEXTS : Kind.TEXT, Json.write(value));
            }
        };
    }

    private static ManifestCell ofJsonNumber(Number number) {
        return number instanceof Long value ? ofLong(value) : ofNumber(number.toString());
    }

    private static ManifestCell ofLong(long value) {
        boolean exact = value >= -EXACT_IN_DOUBLE && value <= EXACT_IN_DOUBLE;
        return new ManifestCell(exact ? Kind.INTEGER : Kind.LARGE_INTEGER, Long.toString(value));
    }

    /** Only what can be written back as it was is an integer: {@code 007} and {@code +1} stay text. */
    private static ManifestCell ofNumber(String text) {
        if (INTEGER.matcher(text).matches()) {
            try {
                return ofLong(Long.parseLong(text));
            } catch (NumberFormatException e) {
                return new ManifestCell(Kind.TEXT, text);
            }
        }
        boolean isFloat = FLOAT.matcher(text).matches()
                && (text.endsWith("inf") || text.equals("nan") || !Double.isInfinite(Double.parseDouble(text)));
        // An integer beyond 64 bits has neither fraction nor exponent; as a double it would be another number.
        boolean isInteger = text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
        return new ManifestCell(isFloat && !isInteger ? Kind.FLOAT : Kind.TEXT, text);
    }

    double asDouble() {
        return switch (text) {
            case "", "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    long asLong() {
        return Long.parseLong(text);
    }

    boolean asBool() {
        return text.equalsIgnoreCase("true");
    }

    List<String> asTexts() {
        return switch (kind) {
            case MISSING -> List.of();
            case TEXTS, TEXTS_IN_TABLE -> {
                List<String> texts = textsOrNull(text);
                yield texts == null ? List.of(text) : texts;
            }
            default -> List.of(text);
        };
    }

    private static @Nullable List<String> textsOrNull(String text) {
        try {
            Object value = Json.parse(text, "");
            if (value instanceof List<?> list && isTexts(list)) {
                return list.stream().map(String.class::cast).toList();
            }
            return null;
        } catch (StokerException e) {
            return null;
        }
    }

    private static boolean isTexts(@Nullable Object value) {
        return value instanceof List<?> list && list.stream().allMatch(String.class::isInstance);
    }
}

package dev.stoker.json;

import dev.stoker.StokerException;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one value; see {@link Json#write}. */
final class JsonWriter {
    private final boolean pretty;
    private final StringBuilder out = new StringBuilder();

    /** Names and indices from the outermost value to this one: for error messages, and its size is the depth. */
    private final Deque<Object> path = new ArrayDeque<>();

    JsonWriter(boolean pretty) {
        this.pretty = pretty;
    }

    String write(@Nullable Object value) {
        writeValue(value);
        return out.toString();
    }

    /** No switch over types: that is linked when it first runs, which takes longer than all else that is written. */
    private void writeValue(@Nullable Object value) {
        if (value == null
                || value instanceof Boolean
                || value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            out.append(value);
        } else if (value instanceof String text) {
            writeString(text);
        } else if (value instanceof BigInteger number) {
            writeBig(number);
        } else if (value instanceof Double number) {
            writeFloating(number, Double.isFinite(number));
        } else if (value instanceof Float number) {
            writeFloating(number, Float.isFinite(number));
        } else if (value instanceof Map<?, ?> object) {
            writeObject(object);
        } else if (value instanceof Iterable<?> array) {
            writeArray(array);
        } else {
            throw refused("a JSON value", "a " + value.getClass().getName());
        }
    }

    private void writeObject(Map<?, ?> object) {
        checkDepth();
        out.append('{');
        boolean first = true;
        for (Map.Entry<?, ?> member : object.entrySet()) {
            if (!(member.getKey() instanceof String name)) {
                throw refused("names that are text", "the name " + member.getKey());
            }
            path.addLast(name);
            separate(first);
            writeString(name);
            out.append(pretty ? ": " : ":");
            writeValue(member.getValue());
            path.removeLast();
            first = false;
        }
        close(first, '}');
    }

    private void writeArray(Iterable<?> array) {
        checkDepth();
        out.append('[');
        int index = 0;
        for (Iterator<?> values = array.iterator(); values.hasNext(); index++) {
            path.addLast(index);
            separate(index == 0);
            writeValue(values.next());
            path.removeLast();
        }
        close(index == 0, ']');
    }

    private void checkDepth() {
        if (path.size() == JsonReader.MAX_DEPTH) {
            throw refused("at most " + JsonReader.MAX_DEPTH + " levels of objects and arrays", "one more");
        }
    }

    private void separate(boolean first) {
        if (!first) {
            out.append(',');
        }
        newLine();
    }

    private void close(boolean empty, char bracket) {
        if (!empty) {
            newLine();
        }
        out.append(bracket);
    }

    private void newLine() {
        if (pretty) {
            out.append('\n').repeat("  ", path.size());
        }
    }

    private void writeBig(BigInteger number) {
        String digits = number.toString();
        if (digits.length() > JsonWords.MAX_BYTES) {
            throw refused("at most " + JsonWords.MAX_BYTES + " digits", String.valueOf(digits.length()));
        }
        out.append(digits);
    }

    /** Java's shortest text of a floating number, such as 1.0E10, is JSON as well. */
    private void writeFloating(Number number, boolean finite) {
        if (!finite) {
            throw refused("a finite number", number.toString());
        }
        out.append(number);
    }

    private void writeString(String text) {
        if (Json.loneSurrogate(text) >= 0) {
            throw refused("Unicode text", "half of a surrogate pair");
        }
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(c < 0x10 ? "\\u000" : "\\u00").append(Integer.toHexString(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private StokerException refused(String expected, String found) {
        var place = new StringBuilder("$");
        path.forEach(step -> place.append(step instanceof String name ? "." + name : "[" + step + "]"));
        return new StokerException("cannot write JSON at " + place + ": expected " + expected + " but found " + found);
    }
}

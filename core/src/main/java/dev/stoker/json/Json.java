package dev.stoker.json;

import dev.stoker.StokerException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Small JSON documents as plain Java values: a LinkedHashMap for an object, a List, String, Long, BigInteger (an
 * integer that does not fit a long), Double (a number with fraction or exponent), Boolean, or null.
 *
 * <p>What {@link #write} wrote, {@link #parse} gives back equal; and equal values are written as equal text. So it is
 * fit for metadata that enters reproducible containers.
 */
public final class Json {
    /** Values take many times the memory of their text: larger documents are for {@link JsonReader}. */
    public static final int DEFAULT_MAX_BYTES = 16 << 20;

    private Json() {}

    /** Reads the one document that the stream holds; does not close it. */
    public static @Nullable Object parse(InputStream in, String file, int maxBytes) {
        byte[] bytes;
        try {
            bytes = in.readNBytes(Math.addExact(maxBytes, 1));
        } catch (IOException e) {
            throw new StokerException(file, "cannot read: " + e, e);
        }
        if (bytes.length > maxBytes) {
            throw new StokerException(file, "expected at most " + maxBytes + " bytes of JSON but found more");
        }
        try (var reader = new JsonReader(new ByteArrayInputStream(bytes), file)) {
            Object value = readValue(reader);
            reader.end();
            return value;
        }
    }

    public static @Nullable Object parse(byte[] utf8, String file) {
        return parse(new ByteArrayInputStream(utf8), file, DEFAULT_MAX_BYTES);
    }

    public static @Nullable Object parse(String text, String file) {
        int lone = loneSurrogate(text);
        if (lone >= 0) {
            throw new StokerException(
                    file, "character " + (lone + 1) + ": expected text but found half of a surrogate pair");
        }
        return parse(text.getBytes(StandardCharsets.UTF_8), file);
    }

    /** Reads the next value, with all that is in it, where a streaming reader stands. */
    public static @Nullable Object readValue(JsonReader reader) {
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> readObject(reader);
            case BEGIN_ARRAY -> readArray(reader);
            case NUMBER -> reader.number();
            case BOOLEAN -> reader.bool();
            case NULL -> {
                reader.nullValue();
                yield null;
            }
            case STRING -> reader.string();
            case NAME, END_OBJECT, END_ARRAY, END -> throw reader.noValue();
        };
    }

    private static Map<String, @Nullable Object> readObject(JsonReader reader) {
        var object = new LinkedHashMap<String, @Nullable Object>();
        reader.beginObject();
        while (reader.hasNext()) {
            String name = reader.name();
            if (object.containsKey(name)) {
                throw reader.error("each name once in an object", write(name) + " again");
            }
            object.put(name, readValue(reader));
        }
        reader.endObject();
        return object;
    }

    private static List<@Nullable Object> readArray(JsonReader reader) {
        var array = new ArrayList<@Nullable Object>();
        reader.beginArray();
        while (reader.hasNext()) {
            array.add(readValue(reader));
        }
        reader.endArray();
        return array;
    }

    /**
     * The value in one line, without blanks. Takes what {@link #parse} gives, any Map with String keys (in its own
     * order), any Iterable, and Integer, Short, Byte and Float; refuses NaN, infinities, text that is not Unicode and
     * what is nested too deeply, with the path to it.
     */
    public static String write(@Nullable Object value) {
        return new JsonWriter(false).write(value);
    }

    /** The same for people: one member per line, indented by two blanks. */
    public static String writePretty(@Nullable Object value) {
        return new JsonWriter(true).write(value);
    }

    /** The index of the first surrogate that has no partner, or -1. */
    static int loneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }
}

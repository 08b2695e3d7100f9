package dev.stoker.formats.tar;

import dev.stoker.StokerException;
import dev.stoker.format.SmallValues;
import dev.stoker.json.Json;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.TextList;
import dev.stoker.text.Utf8;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The member {@code STEM.json}: an object with the numbers and texts of a sample, in the order of the schema. */
final class JsonFields {
    private JsonFields() {}

    static byte[] encode(Samples samples, long sample, TarLayout layout) {
        var object = new LinkedHashMap<String, @Nullable Object>();
        for (int f : layout.json()) {
            String name = layout.schema().fields().get(f).name();
            try {
                object.put(name, encode(layout.schema().type(f), SmallValues.read(samples, sample, f)));
            } catch (StokerException e) {
                throw new StokerException(samples.describe(sample) + ", field '" + name + "': " + e.getMessage(), e);
            }
        }
        byte[] json = Json.write(object).getBytes(StandardCharsets.UTF_8);
        if (json.length > Json.DEFAULT_MAX_BYTES) {
            throw new StokerException(samples.describe(sample) + ": format tar holds at most " + Json.DEFAULT_MAX_BYTES
                    + " bytes of numbers and texts for a sample, but these are " + json.length
                    + "; give large texts the type bytes");
        }
        return json;
    }

    private static Object encode(FieldType type, byte[] value) {
        return switch (type) {
            case FieldType.Scalar scalar -> JsonNumbers.encode(scalar.dtype(), MemorySegment.ofArray(value));
            case FieldType.Texts texts -> TextList.decode(MemorySegment.ofArray(value));
            default -> text(value);
        };
    }

    private static String text(byte[] value) {
        int malformed = Utf8.firstMalformed(value, 0, value.length);
        if (malformed >= 0) {
            throw new StokerException("byte " + malformed + " of the text is not UTF-8");
        }
        return new String(value, StandardCharsets.UTF_8);
    }

    /** The values of a sample, one for each field of the layout's JSON; a {@link StokerException} if they do not fit. */
    static List<byte[]> decode(byte[] json, TarLayout layout) {
        if (!(Json.parse(json, "json") instanceof Map<?, ?> object)) {
            throw new StokerException("it should be a JSON object");
        }
        if (object.size() != layout.json().size()) {
            throw new StokerException("it should have " + layout.json().size() + " values but has " + object.size());
        }
        var values = new ArrayList<byte[]>();
        for (int f : layout.json()) {
            String name = layout.schema().fields().get(f).name();
            FieldType type = layout.schema().type(f);
            byte[] value = decode(type, object.get(name));
            if (value == null) {
                throw new StokerException("its value '" + name + "' should be of type " + type.label());
            }
            values.add(value);
        }
        return values;
    }

    /** The canonical bytes of a JSON value, or null if it is not of the type. */
    static byte @Nullable [] decode(FieldType type, @Nullable Object value) {
        return switch (type) {
            case FieldType.Scalar scalar -> JsonNumbers.decode(scalar.dtype(), value);
            case FieldType.Text text -> value instanceof String string ? string.getBytes(StandardCharsets.UTF_8) : null;
            case FieldType.Texts texts -> value instanceof List<?> list ? decodeTexts(list) : null;
            default -> null;
        };
    }

    private static byte @Nullable [] decodeTexts(List<?> list) {
        var texts = new ArrayList<String>();
        for (Object text : list) {
            if (!(text instanceof String string)) {
                return null;
            }
            texts.add(string);
        }
        return TextList.encode(texts);
    }
}

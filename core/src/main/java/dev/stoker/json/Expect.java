package dev.stoker.json;

import dev.stoker.StokerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a parsed value should be; if it is not, the error says at which place, what was expected and what was found. */
public final class Expect {
    private Expect() {}

    /** The member of an object; null if it has none of that name. */
    public static @Nullable Object member(String place, @Nullable Object object, String name) {
        if (object instanceof Map<?, ?> map) {
            return map.get(name);
        }
        throw wrong(place, "an object with '" + name + "'", object);
    }

    public static List<?> list(String place, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong(place, "a list", value);
    }

    public static String text(String place, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw wrong(place, "text", value);
    }

    public static List<String> texts(String place, @Nullable Object value) {
        var texts = new ArrayList<String>();
        for (Object text : list(place, value)) {
            texts.add(text(place, text));
        }
        return texts;
    }

    private static StokerException wrong(String place, String expected, @Nullable Object found) {
        return new StokerException(place, "expected " + expected + " but found " + found);
    }
}

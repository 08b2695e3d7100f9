package dev.stoker.bench.peer;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a contestant was asked, or said: that may be anything, so each value is looked at. */
record Message(Map<?, ?> values) {
    private static final int SHOWN = 80;

    /** Reads a line; an answer that tells of an error is a failure. */
    static Message parse(String line) throws PeerFailure {
        Object value;
        try {
            value = Json.parse(line, "answer");
        } catch (StokerException e) {
            throw new PeerFailure(garbage(line), e);
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw new PeerFailure(garbage(line));
        }
        if (map.get("error") instanceof String error) {
            throw new PeerFailure(error.replaceAll("\\s+", " "));
        }
        return new Message(map);
    }

    long whole(String name) throws PeerFailure {
        if (values.get(name) instanceof Long number && number >= 0) {
            return number;
        }
        throw missing(name, "a whole number");
    }

    double number(String name) throws PeerFailure {
        if (values.get(name) instanceof Number number && number.doubleValue() >= 0) {
            return number.doubleValue();
        }
        throw missing(name, "a number");
    }

    String text(String name) throws PeerFailure {
        if (values.get(name) instanceof String text) {
            return text;
        }
        throw missing(name, "a text");
    }

    List<String> texts(String name) throws PeerFailure {
        if (!(values.get(name) instanceof List<?> list) || list.isEmpty()) {
            throw missing(name, "a list");
        }
        var texts = new ArrayList<String>();
        list.forEach(text -> texts.add(String.valueOf(text)));
        return texts;
    }

    /** A value of any kind, or null. */
    @Nullable
    Object get(String name) {
        return values.get(name);
    }

    private PeerFailure missing(String name, String expected) {
        return new PeerFailure("its answer should have " + expected + " '" + name + "' but has " + values.get(name));
    }

    private static String garbage(String line) {
        return "its answer should be a JSON object but is '"
                + line.substring(0, Math.min(SHOWN, line.length())).strip() + "'";
    }
}

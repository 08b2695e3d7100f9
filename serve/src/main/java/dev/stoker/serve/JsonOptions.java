package dev.stoker.serve;

import dev.stoker.StokerException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the members of a JSON object that a client sent. A member that is null or left out is not given. */
final class JsonOptions {
    private final Map<?, ?> object;

    /** Refuses members that nobody knows. */
    JsonOptions(Map<?, ?> object, Set<String> known) {
        this.object = object;
        for (Object name : object.keySet()) {
            if (!known.contains(name)) {
                throw new StokerException("unknown option '" + name + "'; valid are "
                        + known.stream().sorted().collect(Collectors.joining(", ")));
            }
        }
    }

    <T> @Nullable T get(String name, Class<T> type) {
        Object value = object.get(name);
        if (value != null && !type.isInstance(value)) {
            throw new StokerException("option '" + name + "' should be a " + type.getSimpleName() + " but is " + value);
        }
        return type.cast(value);
    }

    <T> T require(String name, Class<T> type) {
        T value = get(name, type);
        if (value == null) {
            throw new StokerException("option '" + name + "' is missing");
        }
        return value;
    }

    Path path(String name) {
        String text = require(name, String.class);
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new StokerException("option '" + name + "' should be the name of a file: " + e.getReason(), e);
        }
    }

    int number(String name) {
        long value = require(name, Long.class);
        if (value != (int) value) {
            throw new StokerException("option '" + name + "' should be less than 2^31 but is " + value);
        }
        return (int) value;
    }

    List<String> texts(String name) {
        var texts = new ArrayList<String>();
        for (Object each : require(name, List.class)) {
            if (!(each instanceof String text)) {
                throw new StokerException("option '" + name + "' should be a list of texts but has " + each);
            }
            texts.add(text);
        }
        return texts;
    }

    <E extends Enum<E>> E choice(String name, Class<E> type) {
        String word = require(name, String.class);
        for (E constant : type.getEnumConstants()) {
            if (lower(constant).equals(word)) {
                return constant;
            }
        }
        throw new StokerException("unknown " + name + " '" + word + "'; valid are "
                + Arrays.stream(type.getEnumConstants()).map(JsonOptions::lower).collect(Collectors.joining(", ")));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

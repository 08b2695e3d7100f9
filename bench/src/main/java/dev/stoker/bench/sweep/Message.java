package dev.stoker.bench.sweep;

import dev.stoker.StokerException;
import dev.stoker.json.Expect;
import dev.stoker.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One line that a sweep and its workers say to each other: a JSON object whose members are known. */
final class Message {
    private static final String PLACE = "message of a worker";

    private final @Nullable Object object;

    Message(String line) {
        this.object = Json.parse(line, PLACE);
    }

    /** A member that may be absent. */
    @Nullable
    Object member(String name) {
        return Expect.member(PLACE, object, name);
    }

    String text(String name) {
        return Expect.text(PLACE, member(name));
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(member(name));
    }

    long number(String name) {
        return member(name) instanceof Long whole ? whole : (long) real(name);
    }

    double real(String name) {
        return real(name, member(name));
    }

    double[] reals(String name) {
        List<?> values = Expect.list(PLACE, member(name));
        return values.stream().mapToDouble(value -> real(name, value)).toArray();
    }

    private static double real(String name, @Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw new StokerException(PLACE, "expected a number as '" + name + "' but found " + value);
    }
}

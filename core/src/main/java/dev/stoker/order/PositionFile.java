package dev.stoker.order;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.json.Json;
import dev.stoker.os.FileErrors;
import dev.stoker.os.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Position} as a small JSON file. At any moment the file is the old or the new one, whole, also when several
 * ranks save at once.
 *
 * <p>{@code beyond} is a list of {@code [first, length, step, times]}: {@code times} ranges of {@code length} positions,
 * {@code step} apart. Ranks at different steps leave such regular gaps.
 */
@PublicApi
public final class PositionFile {
    private static final String FORMAT = "stoker position 1";
    private static final Set<String> MEMBERS =
            Set.of("format", "dataset", "order", "size", "seed", "epoch", "cursor", "beyond");
    private static final int MAX_BYTES = 64 << 20;

    private PositionFile() {}

    /** The position as one line of JSON. */
    public static String write(Position position) {
        OrderFingerprint identity = position.identity();
        var object = new LinkedHashMap<String, @Nullable Object>();
        object.put("format", FORMAT);
        object.put("dataset", identity.dataset());
        object.put("order", identity.order());
        object.put("size", identity.size());
        object.put("seed", identity.seed());
        object.put("epoch", position.epoch());
        object.put("cursor", position.cursor());
        object.put("beyond", compact(position.beyond()));
        return Json.write(object);
    }

    public static void save(Path file, Position position) {
        byte[] bytes = (write(position) + "\n").getBytes(StandardCharsets.UTF_8);
        // The name is random because ranks on several nodes, whose process ids may be equal, can save the same file.
        Path temporary = file.resolveSibling(file.getFileName() + "."
                + Long.toHexString(ThreadLocalRandom.current().nextLong()) + ".tmp");
        try {
            try {
                writeNew(temporary, bytes);
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
        }
    }

    private static void writeNew(Path file, byte[] bytes) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
    }

    /** Reads a position and refuses one of another dataset, order or seed. */
    public static Position load(Path file, OrderFingerprint expected) {
        Position position = load(file);
        expected.requireSame(position.identity(), file.toString());
        return position;
    }

    public static Position load(Path file) {
        Object value;
        try (InputStream in = Channels.newInputStream(RegularFile.open(file))) {
            value = Json.parse(in, file.toString(), MAX_BYTES);
        } catch (IOException e) {
            throw FileErrors.cannotRead(file, e);
        }
        return of(value, file.toString());
    }

    /** A position from the parsed JSON of {@link #write}; {@code file} is where it comes from, for messages. */
    public static Position of(@Nullable Object value, String file) {
        if (!(value instanceof Map<?, ?> object) || !FORMAT.equals(object.get("format"))) {
            throw new StokerException(
                    file,
                    "should be an object of format \"" + FORMAT
                            + "\" but is not; it is not a saved position, or one of another version");
        }
        for (Object name : object.keySet()) {
            if (!MEMBERS.contains(name)) {
                throw new StokerException(file, "has an unknown member \"" + name + "\"; known are " + MEMBERS);
            }
        }
        try {
            OrderFingerprint identity = new OrderFingerprint(
                    member(object, "seed", Long.class),
                    member(object, "size", Long.class),
                    member(object, "dataset", String.class),
                    member(object, "order", String.class));
            return new Position(
                    identity,
                    member(object, "epoch", Long.class),
                    member(object, "cursor", Long.class),
                    expand(member(object, "beyond", List.class)));
        } catch (IllegalArgumentException | ArithmeticException | StokerException e) {
            throw new StokerException(file, "is not a valid position: " + e.getMessage(), e);
        }
    }

    private static <T> T member(Map<?, ?> object, String name, Class<T> type) {
        Object value = object.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" should be a " + type.getSimpleName() + " but is " + value);
        }
        return type.cast(value);
    }

    private static List<List<Long>> compact(RangeSet ranges) {
        List<List<Long>> entries = new ArrayList<>();
        int count = ranges.rangeCount();
        for (int i = 0; i < count; ) {
            long length = ranges.to(i) - ranges.from(i);
            long step = i + 1 < count ? ranges.from(i + 1) - ranges.from(i) : length;
            int end = i + 1;
            while (end < count
                    && ranges.from(end) - ranges.from(end - 1) == step
                    && ranges.to(end) - ranges.from(end) == length) {
                end++;
            }
            entries.add(List.of(ranges.from(i), length, end - i == 1 ? length : step, (long) (end - i)));
            i = end;
        }
        return entries;
    }

    private static RangeSet expand(List<?> entries) {
        RangeSet.Builder builder = new RangeSet.Builder();
        for (Object entry : entries) {
            if (!(entry instanceof List<?> numbers
                    && numbers.size() == 4
                    && numbers.stream().allMatch(Long.class::isInstance))) {
                throw new IllegalArgumentException(
                        "an entry of \"beyond\" should be [first, length, step, times] but is " + entry);
            }
            long first = (Long) numbers.get(0);
            long length = (Long) numbers.get(1);
            long step = (Long) numbers.get(2);
            long times = (Long) numbers.get(3);
            // Before any is made: a few digits may ask for more than there is time for.
            if (times < 1 || times > RangeSet.MAX_RANGES || (times > 1 && step <= length)) {
                throw new IllegalArgumentException(
                        "an entry of \"beyond\" should have a step that is larger than its length," + " and at most "
                                + RangeSet.MAX_RANGES + " times, but is " + entry);
            }
            for (long i = 0; i < times; i++) {
                long from = Math.addExact(first, Math.multiplyExact(i, step));
                builder.add(from, Math.addExact(from, length));
            }
        }
        return builder.build();
    }
}

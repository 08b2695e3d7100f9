package dev.stoker.collect;

import dev.stoker.StokerException;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import dev.stoker.json.Json;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The head of a file that is being collected; the bytes are in the package's description.
 *
 * @param start where the first chunk begins
 */
record CollectHeader(String format, int world, long chunk, long start, Schema schema) {
    static final int MARK_BYTES = 8;

    private static final byte[] MAGIC = "STKCOLL1".getBytes(StandardCharsets.US_ASCII);
    /** In its place while a file is being sealed: who sees it writes no more. */
    private static final byte[] SEALING = "STKSEAL1".getBytes(StandardCharsets.US_ASCII);

    private static final int JSON_AT = 12;
    private static final int MAX_JSON = 64 << 20;
    private static final long UNIT = 64 << 10;

    private byte[] json() {
        var fields = new ArrayList<Map<String, @Nullable Object>>();
        for (Field field : schema.fields()) {
            var one = new LinkedHashMap<String, @Nullable Object>();
            one.put("name", field.name());
            one.put("type", field.type().label());
            fields.add(one);
        }
        var all = new LinkedHashMap<String, @Nullable Object>();
        all.put("format", format);
        all.put("world", (long) world);
        all.put("chunk", chunk);
        all.put("start", start);
        all.put("fields", fields);
        all.put("classes", schema.classes());
        return Json.write(all).getBytes(StandardCharsets.UTF_8);
    }

    /** What ties a batch to this head. */
    int checksum() {
        return Checksum.of(MemorySegment.ofArray(json()));
    }

    /** The head of a new file, with room for itself and for what the container will have in its place. */
    static CollectHeader of(String format, int world, long chunk, Schema schema, long containerBytes) {
        int json = new CollectHeader(format, world, chunk, Long.MAX_VALUE, schema).json().length;
        long start = LittleEndian.align(Math.max(JSON_AT + json + 4L, containerBytes), UNIT);
        return new CollectHeader(format, world, chunk, start, schema);
    }

    MemorySegment toBytes() {
        byte[] json = json();
        MemorySegment bytes = MemorySegment.ofArray(new byte[JSON_AT + json.length + 4]);
        MemorySegment.copy(MAGIC, 0, bytes, ValueLayout.JAVA_BYTE, 0, MAGIC.length);
        bytes.set(LittleEndian.U32, MAGIC.length, json.length);
        MemorySegment.copy(json, 0, bytes, ValueLayout.JAVA_BYTE, JSON_AT, json.length);
        bytes.set(LittleEndian.U32, JSON_AT + json.length, checksum());
        return bytes;
    }

    /** Reads the head of a file; null if there is none yet. */
    static @Nullable CollectHeader read(OutputFile file) {
        MemorySegment start = MemorySegment.ofArray(new byte[JSON_AT]);
        if (!file.read(0, start) || start.get(ValueLayout.JAVA_BYTE, 0) == 0) {
            return null;
        }
        Path path = file.path();
        int length = start.get(LittleEndian.U32, MAGIC.length);
        if (!(isMarked(start, MAGIC) || isMarked(start, SEALING)) || length < 0 || length > MAX_JSON) {
            throw new StokerException(
                    path,
                    "should begin with STKCOLL1 but does not: it is not what a"
                            + " Collector wrote, or is sealed already");
        }
        MemorySegment rest = MemorySegment.ofArray(new byte[length + 4]);
        byte[] json = new byte[length];
        if (!file.read(JSON_AT, rest)) {
            throw damaged(path);
        }
        MemorySegment.copy(rest, ValueLayout.JAVA_BYTE, 0, json, 0, length);
        if (rest.get(LittleEndian.U32, length) != Checksum.of(MemorySegment.ofArray(json))) {
            throw damaged(path);
        }
        return ofJson(path, json);
    }

    private static boolean isMarked(MemorySegment start, byte[] mark) {
        return start.asSlice(0, mark.length).mismatch(MemorySegment.ofArray(mark)) < 0;
    }

    /** Whether a file that begins so takes samples. */
    static boolean isCollecting(MemorySegment start) {
        return isMarked(start, MAGIC);
    }

    /** Whether a file that begins so takes no more samples because it is being sealed. */
    static boolean isSealing(MemorySegment start) {
        return isMarked(start, SEALING);
    }

    static boolean isSealing(OutputFile file) {
        MemorySegment start = MemorySegment.ofArray(new byte[MARK_BYTES]);
        return file.read(0, start) && isSealing(start);
    }

    /** Tells all ranks to write no more. */
    static void markSealing(OutputFile file) {
        file.write(0, MemorySegment.ofArray(SEALING));
    }

    /** The head of a file that never took any samples from a rank. */
    MemorySegment toSealingBytes() {
        MemorySegment bytes = toBytes();
        MemorySegment.copy(SEALING, 0, bytes, ValueLayout.JAVA_BYTE, 0, SEALING.length);
        return bytes;
    }

    private static StokerException damaged(Path path) {
        return new StokerException(path, "its head does not have its checksum; the file is damaged");
    }

    private static CollectHeader ofJson(Path path, byte[] json) {
        if (Json.parse(json, path.toString()) instanceof Map<?, ?> all
                && all.get("format") instanceof String format
                && all.get("world") instanceof Long world
                && all.get("chunk") instanceof Long chunk
                && all.get("start") instanceof Long start
                && all.get("fields") instanceof List<?> fields
                && all.get("classes") instanceof List<?> classes
                && world >= 1
                && world <= Integer.MAX_VALUE
                && chunk >= Collector.SMALLEST_CHUNK
                && start >= UNIT) {
            var found = new ArrayList<Field>();
            for (Object entry : fields) {
                if (entry instanceof Map<?, ?> field) {
                    found.add(new Field(
                            String.valueOf(field.get("name")), FieldType.of(String.valueOf(field.get("type")))));
                }
            }
            List<String> names = classes.stream().map(String::valueOf).toList();
            return new CollectHeader(format, world.intValue(), chunk, start, new Schema(found, names));
        }
        throw damaged(path);
    }
}

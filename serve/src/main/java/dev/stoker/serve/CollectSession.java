package dev.stoker.serve;

import dev.stoker.StokerException;
import dev.stoker.collect.Collector;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes the samples of one client into the file that the ranks of its job collect. */
final class CollectSession {
    static final Set<String> KNOWN =
            Set.of("path", "fields", "classes", "rank", "world", "chunk", "flush_millis", "sync");

    private final Schema schema;
    private final Collector collector;
    private @Nullable StokerException failure;

    CollectSession(Map<?, ?> request) {
        var options = new JsonOptions(request, KNOWN);
        this.schema = new Schema(fields(options), options.texts("classes"));
        this.collector = Collector.open(
                options.path("path"),
                schema,
                options.number("rank"),
                options.number("world"),
                new Collector.Settings(
                        options.require("chunk", Long.class),
                        Duration.ofMillis(options.require("flush_millis", Long.class)),
                        options.require("sync", Boolean.class)));
    }

    private static List<Field> fields(JsonOptions options) {
        var fields = new ArrayList<Field>();
        for (Object each : options.require("fields", List.class)) {
            if (!(each instanceof List<?> pair)
                    || pair.size() != 2
                    || !(pair.get(0) instanceof String name)
                    || !(pair.get(1) instanceof String type)) {
                throw new StokerException("option 'fields' should be pairs of name and type but has " + each);
            }
            fields.add(new Field(name, FieldType.of(type)));
        }
        return fields;
    }

    /** Takes one sample. When one was refused, those that were under way behind it are passed over. */
    void append(byte[] payload) {
        if (failure != null) {
            return;
        }
        try {
            append(MemorySegment.ofArray(payload));
        } catch (StokerException e) {
            failure = e;
            throw e;
        }
    }

    private void append(MemorySegment payload) {
        long at = Long.BYTES;
        var lengths = new long[schema.size()];
        var shapes = new long[schema.size()][];
        for (int f = 0; f < lengths.length; f++) {
            shapes[f] = new long[schema.type(f) instanceof FieldType.Array array ? array.rank() : 0];
            requireInside(payload, at, (1L + shapes[f].length) * Long.BYTES);
            lengths[f] = payload.get(LittleEndian.U64, at);
            at += Long.BYTES;
            for (int d = 0; d < shapes[f].length; d++, at += Long.BYTES) {
                shapes[f][d] = payload.get(LittleEndian.U64, at);
            }
        }
        var values = new MemorySegment[lengths.length];
        for (int f = 0; f < lengths.length; f++) {
            requireInside(payload, at, lengths[f]);
            values[f] = payload.asSlice(at, lengths[f]);
            at += lengths[f];
        }
        if (at != payload.byteSize()) {
            throw new StokerException("a sample should have " + at + " bytes but has " + payload.byteSize());
        }
        collector.append(payload.get(LittleEndian.U64, 0), shapes, values);
    }

    private static void requireInside(MemorySegment payload, long at, long length) {
        if (length < 0 || length > payload.byteSize() - at) {
            throw new StokerException("a sample of " + payload.byteSize() + " bytes cannot have a part of "
                    + Long.toUnsignedString(length) + " bytes at " + at);
        }
    }

    /** Returns when the system has everything; the number of samples. */
    long flush() {
        requireWhole();
        collector.flush();
        return collector.written();
    }

    /** Says that the rank is done; the number of samples. */
    long close() {
        requireWhole();
        collector.close();
        return collector.written();
    }

    private void requireWhole() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Keeps what was given, without saying that the rank is done: its process has ended or failed. */
    void abandon() {
        try {
            collector.abandon();
        } catch (StokerException e) {
            // There is nobody to be told; whoever seals the file is told what is missing.
        }
    }
}

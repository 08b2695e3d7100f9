package dev.stoker.transform;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.format.NumberConversion;
import dev.stoker.io.Fingerprints;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.FilterSamples;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.text.Utf8;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Samples some of whose fields have other types: numbers become other numbers, bytes become text. Every number was
 * looked at before, so that none is found not to fit when half is packed; bytes are checked when they are read.
 */
public final class RetypedSamples extends FilterSamples {
    /** More than the bytes of a character before and behind a piece cannot matter to it. */
    private static final int MAX_UTF8_REST = 3;

    private final Schema schema;

    private RetypedSamples(Samples samples, Schema schema) {
        super(samples);
        this.schema = schema;
    }

    /**
     * Gives fields other types. On failure the samples are closed.
     *
     * @param types the types' labels, by field
     */
    public static Samples of(Samples samples, Map<String, String> types, int threads) {
        try {
            return types.isEmpty() ? samples : checked(samples, types, threads);
        } catch (RuntimeException e) {
            samples.close();
            throw e;
        }
    }

    private static Samples checked(Samples samples, Map<String, String> types, int threads) {
        var fields = new ArrayList<>(samples.schema().fields());
        types.forEach((name, label) -> {
            int place = samples.schema().place(name);
            FieldType type = FieldType.named(label);
            refuseOther(name, samples.schema().type(place), type);
            fields.set(place, new Field(name, type));
        });
        var retyped =
                new RetypedSamples(samples, new Schema(fields, samples.schema().classes()));
        for (int f = 0; f < fields.size(); f++) {
            if (retyped.isNumber(f)) {
                int field = f;
                WorkerPool.each(threads, samples.count(), sample -> retyped.number(sample, field));
            }
        }
        return retyped;
    }

    private static void refuseOther(String name, FieldType from, FieldType to) {
        boolean numbers = from instanceof FieldType.Scalar && to instanceof FieldType.Scalar;
        boolean text = from instanceof FieldType.Bytes && to instanceof FieldType.Text;
        if (!numbers && !text && !from.equals(to)) {
            throw new UsageException("field '" + name + "' is " + from.label() + " and cannot become " + to.label()
                    + "; a number can become another number, and bytes can become text");
        }
    }

    private boolean isChanged(int field) {
        return !schema.type(field).equals(samples.schema().type(field));
    }

    private boolean isNumber(int field) {
        return isChanged(field) && schema.type(field) instanceof FieldType.Scalar;
    }

    /** A number in its new type. */
    private MemorySegment number(long sample, int field) {
        DType from = dtype(samples.schema(), field);
        DType to = dtype(schema, field);
        MemorySegment value = MemorySegment.ofArray(part(sample, field, 0, from.bytes()));
        MemorySegment converted = MemorySegment.ofArray(new byte[to.bytes()]);
        if (!NumberConversion.convert(value, from, converted, to)) {
            throw new StokerException(
                    samples.describe(sample),
                    schema.fields().get(field).name() + " is " + NumberConversion.text(value, from) + ", which "
                            + to.label() + " cannot hold (" + NumberConversion.range(to) + "); choose another type");
        }
        return converted;
    }

    private static DType dtype(Schema schema, int field) {
        return ((FieldType.Scalar) schema.type(field)).dtype();
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        if (isNumber(field)) {
            MemorySegment.copy(number(sample, field), from, to, 0, to.byteSize());
            return;
        }
        samples.read(sample, field, from, to);
        if (isChanged(field)) {
            refuseOtherThanText(sample, field, from, to);
        }
    }

    /** Checks one piece of a text. A character that lies across its ends is looked at as a whole. */
    private void refuseOtherThanText(long sample, int field, long from, MemorySegment piece) {
        byte[] before = part(sample, field, Math.max(0, from - MAX_UTF8_REST), from);
        long end = from + piece.byteSize();
        byte[] behind = part(sample, field, end, Math.min(samples.length(sample, field), end + MAX_UTF8_REST));
        var text = new byte[Math.toIntExact(before.length + piece.byteSize() + behind.length)];
        System.arraycopy(before, 0, text, 0, before.length);
        MemorySegment.copy(piece, ValueLayout.JAVA_BYTE, 0, text, before.length, (int) piece.byteSize());
        System.arraycopy(behind, 0, text, text.length - behind.length, behind.length);
        int start = 0;
        // In the middle of a text the first bytes may be the rest of a character that was checked before.
        while (from > before.length && start < before.length && (text[start] & 0xc0) == 0x80) {
            start++;
        }
        int bad = Utf8.firstMalformed(text, start, text.length);
        if (bad >= 0 && bad < text.length - behind.length) {
            throw new StokerException(
                    samples.describe(sample),
                    schema.fields().get(field).name() + " should be UTF-8 text but is not at byte "
                            + (from - before.length + bad) + "; leave it bytes, or convert the file");
        }
    }

    /** A part of a value; read outside the heap, since a source may read by a system call. */
    private byte[] part(long sample, int field, long from, long end) {
        try (var arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(end - from);
            if (end > from) {
                samples.read(sample, field, from, bytes);
            }
            return bytes.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public long length(long sample, int field) {
        return isNumber(field) ? schema.type(field).width() : samples.length(sample, field);
    }

    @Override
    public void verify(long sample, int field, IntSupplier checksum) {
        if (!isNumber(field)) {
            samples.verify(sample, field, checksum);
        }
    }

    @Override
    public String fingerprint() {
        MessageDigest digest = Fingerprints.begin();
        Fingerprints.add(digest, samples.fingerprint());
        schema.fields().forEach(field -> Fingerprints.add(digest, field.type().label()));
        return Fingerprints.end(digest);
    }
}

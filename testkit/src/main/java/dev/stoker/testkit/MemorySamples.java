package dev.stoker.testkit;

import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.sample.TextList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Samples of any schema that lie in memory. */
public final class MemorySamples implements Samples {
    private final Schema schema;
    private final List<Split> splits;
    private final List<Shaped[]> rows;

    private MemorySamples(Schema schema, List<Split> splits, List<Shaped[]> rows) {
        this.schema = schema;
        this.splits = Split.checked(splits, rows.size());
        this.rows = List.copyOf(rows);
    }

    public static Builder of(Schema schema) {
        return new Builder(schema);
    }

    public static Builder of(Field... fields) {
        return new Builder(new Schema(List.of(fields)));
    }

    /** Collects samples. */
    public static final class Builder {
        private final Schema schema;
        private final List<Shaped[]> rows = new ArrayList<>();
        private List<Split> splits = List.of();

        private Builder(Schema schema) {
            this.schema = schema;
        }

        /**
         * Adds a sample.
         *
         * @param values for each field a {@code String}, a {@code List<String>}, a number, a boolean, a {@link Shaped},
         *     or, for any type but an array, its canonical bytes
         */
        public Builder add(Map<String, ?> values) {
            var row = new Shaped[schema.size()];
            for (int f = 0; f < row.length; f++) {
                Field field = schema.fields().get(f);
                Object value = values.get(field.name());
                if (value == null || values.size() != row.length) {
                    throw new IllegalArgumentException("a sample needs " + schema.fields() + ", not " + values);
                }
                row[f] = value instanceof Shaped shaped
                        ? shaped
                        : new Shaped(new long[0], canonical(field.type(), value));
            }
            rows.add(row);
            return this;
        }

        /** Adds a sample whose values are given in the order of the fields, as {@link #add(Map)} takes them. */
        public Builder add(Object... values) {
            var byName = new java.util.HashMap<String, Object>();
            for (int f = 0; f < values.length; f++) {
                byName.put(schema.fields().get(f).name(), values[f]);
            }
            return add(byName);
        }

        public Builder splits(List<Split> given) {
            splits = given;
            return this;
        }

        public MemorySamples build() {
            return new MemorySamples(schema, splits, rows);
        }
    }

    private static byte[] canonical(FieldType type, Object value) {
        return switch (value) {
            case byte[] bytes -> bytes;
            case String text -> text.getBytes(StandardCharsets.UTF_8);
            case List<?> texts ->
                TextList.encode(texts.stream().map(String.class::cast).toList());
            case Boolean bool -> new byte[] {(byte) (bool ? 1 : 0)};
            case Number number when type instanceof FieldType.Scalar scalar -> number(scalar.dtype(), number);
            default -> throw new IllegalArgumentException(value + " is no value of a field of type " + type.label());
        };
    }

    private static byte[] number(DType dtype, Number number) {
        var bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        switch (dtype) {
            case FLOAT16 -> bytes.putShort(Float.floatToFloat16(number.floatValue()));
            case FLOAT32 -> bytes.putFloat(number.floatValue());
            case FLOAT64 -> bytes.putDouble(number.doubleValue());
            default -> bytes.putLong(number.longValue());
        }
        return Arrays.copyOf(bytes.array(), dtype.bytes());
    }

    /** The canonical bytes of a value. */
    public byte[] bytes(long sample, int field) {
        return rows.get(Math.toIntExact(sample))[field].bytes();
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public List<Split> splits() {
        return splits;
    }

    @Override
    public long count() {
        return rows.size();
    }

    @Override
    public long length(long sample, int field) {
        return bytes(sample, field).length;
    }

    @Override
    public long[] shape(long sample, int field) {
        return rows.get(Math.toIntExact(sample))[field].shape().clone();
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        MemorySegment.copy(
                bytes(sample, field), Math.toIntExact(from), to, ValueLayout.JAVA_BYTE, 0, (int) to.byteSize());
    }

    @Override
    public String describe(long sample) {
        int key = schema.find(Field.KEY);
        return key < 0 ? "sample " + sample : new String(bytes(sample, key), StandardCharsets.UTF_8);
    }

    @Override
    public String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((schema + " " + splits).getBytes(StandardCharsets.UTF_8));
            for (Shaped[] row : rows) {
                for (Shaped value : row) {
                    digest.update(
                            (Arrays.toString(value.shape()) + value.bytes().length).getBytes(StandardCharsets.UTF_8));
                    digest.update(value.bytes());
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public void close() {}
}

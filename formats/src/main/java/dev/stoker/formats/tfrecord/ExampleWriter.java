package dev.stoker.formats.tfrecord;

import dev.stoker.format.RunWriter;
import dev.stoker.format.SmallValues;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.TextList;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Measures and writes the examples of samples. */
final class ExampleWriter {
    private final Samples samples;
    private final byte[][] names;
    private final Kind[] kinds;

    /** How a field's values stand in an example. */
    enum Kind {
        /** One value in a list of bytes, as it is. */
        BYTES(1, true),
        /** Several values in a list of bytes. */
        TEXTS(1, false),
        /** Packed floats, as they are. */
        FLOATS(2, true),
        /** One integer. */
        INTEGER(3, false);

        /** The number of the list in a feature. */
        final int list;
        /** Whether the bytes of the value lie in the example as they are. */
        final boolean isStored;

        Kind(int list, boolean isStored) {
            this.list = list;
            this.isStored = isStored;
        }

        static Kind of(FieldType type) {
            return switch (type) {
                case FieldType.Bytes ignored -> BYTES;
                case FieldType.Text ignored -> BYTES;
                case FieldType.Texts ignored -> TEXTS;
                case FieldType.Scalar(DType dtype) ->
                    dtype == DType.FLOAT32 ? FLOATS : dtype.isFloat() ? BYTES : INTEGER;
                case FieldType.Tensor tensor -> tensor.dtype() == DType.FLOAT32 ? FLOATS : BYTES;
                case FieldType.Array array -> array.dtype() == DType.FLOAT32 ? FLOATS : BYTES;
            };
        }
    }

    ExampleWriter(Samples samples, Schema schema) {
        this.samples = samples;
        this.names = new byte[schema.size()][];
        this.kinds = new Kind[schema.size()];
        for (int f = 0; f < names.length; f++) {
            names[f] = schema.fields().get(f).name().getBytes(StandardCharsets.UTF_8);
            kinds[f] = Kind.of(schema.type(f));
        }
    }

    /** Bytes of the example of a sample. */
    long length(long sample) {
        return part(features(sample));
    }

    void write(long sample, RunWriter out) {
        out.put(tag(1, features(sample)));
        for (int f = 0; f < names.length; f++) {
            long list = list(sample, f);
            out.put(tag(1, entry(f, list)));
            out.put(tag(1, names[f].length));
            out.put(names[f]);
            out.put(tag(2, part(list)));
            out.put(tag(kinds[f].list, list));
            writeList(sample, f, out);
        }
    }

    private long features(long sample) {
        long bytes = 0;
        for (int f = 0; f < names.length; f++) {
            bytes += part(entry(f, list(sample, f)));
        }
        return bytes;
    }

    private long entry(int field, long list) {
        return part(names[field].length) + part(part(list));
    }

    /** Bytes of a list with all its values. */
    private long list(long sample, int field) {
        return kinds[field].isStored ? part(samples.length(sample, field)) : encoded(sample, field).length;
    }

    private void writeList(long sample, int field, RunWriter out) {
        if (kinds[field].isStored) {
            out.put(tag(1, samples.length(sample, field)));
            out.value(sample, field);
        } else {
            out.put(encoded(sample, field));
        }
    }

    /** The list of a field whose values are small. */
    private byte[] encoded(long sample, int field) {
        byte[] value = SmallValues.read(samples, sample, field);
        var out = new ByteArrayOutputStream();
        if (kinds[field] == Kind.INTEGER && samples.schema().type(field) instanceof FieldType.Scalar scalar) {
            byte[] number = varint(integer(scalar.dtype(), MemorySegment.ofArray(value)));
            out.writeBytes(tag(1, number.length));
            out.writeBytes(number);
            return out.toByteArray();
        }
        for (String text : TextList.decode(MemorySegment.ofArray(value))) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(tag(1, utf8.length));
            out.writeBytes(utf8);
        }
        return out.toByteArray();
    }

    private static long integer(DType dtype, MemorySegment value) {
        return switch (dtype) {
            case INT8 -> value.get(ValueLayout.JAVA_BYTE, 0);
            case UINT8, BOOL -> value.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
            case INT16 -> value.get(LittleEndian.U16, 0);
            case UINT16 -> Short.toUnsignedLong(value.get(LittleEndian.U16, 0));
            case INT32 -> value.get(LittleEndian.U32, 0);
            case UINT32 -> Integer.toUnsignedLong(value.get(LittleEndian.U32, 0));
            case INT64, UINT64 -> value.get(LittleEndian.U64, 0);
            case FLOAT16, FLOAT32, FLOAT64 -> throw new IllegalArgumentException(dtype + " is no integer");
        };
    }

    /** Bytes of a part of a message: its tag, its length, itself. */
    private static long part(long length) {
        return 1 + varint(length).length + length;
    }

    /** The tag and the length of a part. */
    private static byte[] tag(int number, long length) {
        byte[] varint = varint(length);
        var bytes = new byte[1 + varint.length];
        bytes[0] = (byte) (number << 3 | Protobuf.BYTES);
        System.arraycopy(varint, 0, bytes, 1, varint.length);
        return bytes;
    }

    private static byte[] varint(long value) {
        var bytes = new byte[Math.max(1, (64 - Long.numberOfLeadingZeros(value) + 6) / 7)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (value >>> (7 * i) & 0x7f | (i < bytes.length - 1 ? 0x80 : 0));
        }
        return bytes;
    }
}

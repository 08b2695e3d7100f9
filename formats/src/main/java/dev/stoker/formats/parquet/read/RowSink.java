package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;
import dev.stoker.formats.parquet.write.ColumnWriters;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.text.Utf8;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Takes the entries of a column, and gives an Index a value for each row. */
abstract class RowSink implements AutoCloseable {
    /**
     * Where the values go.
     *
     * @param counts takes the elements of each array of more than one dimension, for its shape; null for other types
     */
    record Target(
            IndexBuilder builder,
            int number,
            Field field,
            Placement.Place use,
            ParquetLimits limits,
            @Nullable GrowingBuffer counts) {}

    private final Target target;
    private long rows;

    RowSink(Target target) {
        this.target = target;
    }

    /**
     * The next entry: a value, or a null.
     *
     * @param values at the value, if the definition level says that there is one
     */
    abstract void entry(int repetition, int definition, ValueDecoder values, PageLocation place);

    /** A row group ends. */
    abstract void end(PageLocation place);

    @Override
    public void close() {}

    final FieldType type() {
        return target.field.type();
    }

    final boolean isIndexed() {
        return target.use == Placement.Place.INDEX;
    }

    /** How many rows there were. */
    final long rows() {
        return rows;
    }

    final void missing() {
        target.builder.missing(target.number);
    }

    final void stored(long address, long length, PageLocation place) {
        target.builder.stored(target.number, address, length);
        row(length, place);
    }

    final void value(MemorySegment value, PageLocation place) {
        if (!(type() instanceof FieldType.Scalar)) {
            target.limits.bytes(value.byteSize(), place);
        }
        target.builder.value(target.number, value);
        row(value.byteSize(), place);
    }

    /** Refuses a value that could not be kept, before it gets memory. */
    final void requireRoom(long length, PageLocation place) {
        target.limits.requireRoom(length, place);
    }

    private void row(long length, PageLocation place) {
        rows++;
        if (type() instanceof FieldType.Array array) {
            if (length % array.dtype().bytes() != 0) {
                throw place.corrupt("row " + (rows - 1) + " has " + length + " bytes, but its elements have "
                        + array.dtype().bytes() + " each");
            }
            long elements = length / array.dtype().bytes();
            if (target.counts != null) {
                target.counts.addLong(elements);
            } else {
                target.builder.shape(target.number, elements);
            }
        }
    }

    /** The bytes of a number: of a small integer, the low ones of the four that Parquet stores. */
    static MemorySegment number(DType dtype, ValueDecoder values, PageLocation place) {
        if (!ColumnWriters.isNative(dtype) && dtype != DType.BOOL) {
            int stored = values.segment().get(LittleEndian.U32, values.at());
            int fits = switch (dtype) {
                case INT8 -> (byte) stored;
                case UINT8 -> stored & 0xff;
                case INT16 -> (short) stored;
                default -> stored & 0xffff;
            };
            if (fits != stored) {
                throw place.corrupt("a value of type " + dtype.label() + " is " + stored);
            }
        }
        return values.segment().asSlice(values.at(), dtype.bytes());
    }

    /** The bytes of a text, which has to be UTF-8. */
    final byte[] text(ValueDecoder values, PageLocation place) {
        target.limits.work(values.length(), place);
        byte[] text = values.segment().asSlice(values.at(), values.length()).toArray(ValueLayout.JAVA_BYTE);
        if (Utf8.firstMalformed(text, 0, text.length) >= 0) {
            throw place.unsupported("row " + rows + " is not UTF-8, as text should be");
        }
        return text;
    }
}

package dev.stoker.formats.arrow;

import dev.stoker.index.Placement;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** The values that dictionary-encoded columns refer to by number: where they lie in the file, or they themselves. */
final class Dictionary implements ValueSink, AutoCloseable {
    private final ColumnReader reader;
    private final boolean indexed;
    private final GrowingBuffer extents = new GrowingBuffer();
    private final GrowingBuffer values = new GrowingBuffer();
    private long count;
    private boolean begun;

    Dictionary(ColumnReader reader) {
        this.reader = reader;
        this.indexed = reader.placement().place() == Placement.Place.INDEX;
    }

    FieldType type() {
        return reader.type();
    }

    Placement placement() {
        return reader.placement();
    }

    long count() {
        return count;
    }

    /** Adds the values of a dictionary batch; returns false if it would replace those that are there. */
    boolean add(BatchCursor batch, boolean delta) {
        if (begun && !delta) {
            return false;
        }
        begun = true;
        reader.read(batch, this);
        return true;
    }

    void give(long number, ValueSink to) {
        if (indexed) {
            long width = type().width();
            to.value(values.bytes().asSlice(number * width, width));
        } else {
            to.stored(extents.getLong(2 * number), extents.getLong(2 * number + 1));
        }
    }

    @Override
    public void stored(long offset, long length) {
        extents.addLong(offset);
        extents.addLong(length);
        count++;
    }

    @Override
    public void value(MemorySegment value) {
        values.add(value);
        count++;
    }

    /** Copies of a value, one for each row that has it, could fill the memory of any machine. */
    @Override
    public void requireCopies(BatchCursor batch, String column) {
        throw batch.nulls(column);
    }

    @Override
    public void shape(long... dimensions) {
        throw new IllegalStateException("no dictionary has arrays");
    }

    @Override
    public void close() {
        extents.close();
        values.close();
    }
}

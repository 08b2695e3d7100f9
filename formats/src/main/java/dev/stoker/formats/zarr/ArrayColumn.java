package dev.stoker.formats.zarr;

import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.formats.shared.array.Span;
import java.lang.foreign.MemorySegment;

/** The values of a field that lie in an array. */
abstract class ArrayColumn implements ColumnReader {
    static final Span NOTHING = new Span(0, 0);

    abstract Store store();

    abstract ZarrArray array();

    @Override
    public final String label() {
        return array().label();
    }

    @Override
    public final void requireKeepable(long bytes) {
        Decoded.requireSmall(store(), array(), bytes, 0);
    }

    @Override
    public Span span(long row) {
        throw new IllegalStateException("not stored");
    }

    @Override
    public long[] shape(long row) {
        throw new IllegalStateException("only arrays have a shape of their own");
    }

    static MemorySegment copy(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }
}

package dev.stoker.formats.zarr.read;

import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.formats.shared.array.Span;
import dev.stoker.formats.shared.array.ValueAttributes;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omissions;
import java.lang.foreign.MemorySegment;

/** The values of a field that lie in an array. */
abstract class ArrayColumn implements ColumnReader {
    static final Span NOTHING = new Span(0, 0);

    private final ZarrStore store;
    private final ZarrArray array;
    private final FieldType type;

    ArrayColumn(ZarrStore store, ZarrArray array, FieldType type) {
        this.store = store;
        this.array = array;
        this.type = type;
    }

    final ZarrStore store() {
        return store;
    }

    final ZarrArray array() {
        return array;
    }

    @Override
    public final FieldType type() {
        return type;
    }

    @Override
    public final void tell(String path, Omissions omissions) {
        ValueAttributes.tell(path, array.attributes(), omissions);
    }

    @Override
    public long count() {
        return array.count();
    }

    @Override
    public final String label() {
        return array.label();
    }

    @Override
    public final void requireKeepable(long bytes) {
        DecodedLimit.requireSmall(store, array, bytes, 0);
    }

    static MemorySegment copy(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }
}

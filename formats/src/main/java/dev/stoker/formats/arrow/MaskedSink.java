package dev.stoker.formats.arrow;

import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.StandIn;
import dev.stoker.sample.TextList;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Passes the values of a column on, and nulls in the rows in which the struct around it is null. */
final class MaskedSink implements ValueSink {
    private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

    private final ValueSink to;
    private final FieldType type;
    private final Validity validity;
    private final BatchCursor batch;
    private final String column;
    private long row;
    private boolean isNull;

    MaskedSink(ValueSink to, ColumnTree.Leaf leaf, Validity validity, BatchCursor batch) {
        this.to = to;
        this.type = leaf.reader().type();
        this.column = leaf.name();
        this.validity = validity;
        this.batch = batch;
    }

    private boolean next() {
        isNull = validity.isNull(row++);
        if (isNull) {
            to.missing();
        }
        return isNull;
    }

    @Override
    public void stored(long offset, long length) {
        if (next() && type.isFixed()) {
            to.requireCopies(batch, column);
            to.stored(offset, length);
        } else {
            to.stored(offset, isNull ? 0 : length);
        }
    }

    @Override
    public void value(MemorySegment value) {
        to.value(next() ? standIn() : value);
    }

    private MemorySegment standIn() {
        return switch (type) {
            case FieldType.Scalar scalar -> StandIn.of(scalar.dtype());
            case FieldType.Texts _ -> MemorySegment.ofArray(TextList.encode(List.of()));
            case FieldType.Tensor tensor -> StandIn.of(tensor);
            default -> EMPTY;
        };
    }

    /** A null of the part itself; those of the struct are counted already. */
    @Override
    public void missing() {
        if (!validity.isNull(row)) {
            to.missing();
        }
    }

    @Override
    public void requireCopies(BatchCursor within, String part) {
        to.requireCopies(within, part);
    }

    @Override
    public void shape(long... dimensions) {
        to.shape(isNull ? new long[dimensions.length] : dimensions);
    }
}

package dev.stoker.formats.arrow;

import dev.stoker.index.Placement;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** Reads numbers and tensors. */
record FixedReader(String column, Elements elements, FieldType type, Placement placement) implements ColumnReader {
    static FixedReader of(String column, Elements elements) {
        FieldType type = elements.isNumber()
                ? new FieldType.Scalar(elements.dtype())
                : new FieldType.Tensor(elements.dtype(), elements.shape());
        Placement placement = elements.bits() ? Placement.indexed(true) : ArrowPlan.placement(type);
        return new FixedReader(column, elements, type, placement);
    }

    @Override
    public void read(BatchCursor batch, ValueSink to) {
        boolean hasNaN = elements.isNumber() && elements.dtype().isFloat();
        Elements.Block block = elements.read(batch, batch.column(), column, hasNaN);
        if (elements.width() == 0) {
            // There is nothing to give, and nothing in the file that bounds how often.
            return;
        }
        boolean indexed = placement.place() == Placement.Place.INDEX;
        for (long i = 0; i < block.items(); i++) {
            if (block.validity().isNull(i)) {
                to.value(notANumber(elements.dtype()));
            } else {
                elements.give(block, i, 1, batch, to, indexed);
            }
        }
    }

    /** The value that stands for a null. */
    static MemorySegment notANumber(DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> MemorySegment.ofArray(new byte[] {0, 0x7e});
            case FLOAT32 -> MemorySegment.ofArray(new byte[] {0, 0, (byte) 0xc0, 0x7f});
            case FLOAT64 -> MemorySegment.ofArray(new byte[] {0, 0, 0, 0, 0, 0, (byte) 0xf8, 0x7f});
            default -> throw new IllegalArgumentException(dtype.label() + " has no such value");
        };
    }
}

package dev.stoker.formats.shared.table;

import dev.stoker.index.Placement;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** What is the same of a column in every table. */
public final class TableColumns {
    private TableColumns() {}

    /** Where the values of a field lie. */
    public static Placement placement(FieldType type) {
        if (type instanceof FieldType.Texts) {
            return Placement.indexed(false);
        }
        return type.isFixed() && type.width() <= Placement.NARROW ? Placement.indexed(true) : Placement.stored();
    }

    /** What stands for a float that is null. */
    public static MemorySegment notANumber(DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> MemorySegment.ofArray(new byte[] {0, 0x7e});
            case FLOAT32 -> MemorySegment.ofArray(new byte[] {0, 0, (byte) 0xc0, 0x7f});
            case FLOAT64 -> MemorySegment.ofArray(new byte[] {0, 0, 0, 0, 0, 0, (byte) 0xf8, 0x7f});
            default -> throw new IllegalArgumentException(dtype.label() + " has no such value");
        };
    }
}

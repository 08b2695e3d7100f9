package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.dataset.OpenDatasetFile;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;

/**
 * Where in the memory of a batch each field's values, offsets and shapes lie. All of it follows from the lengths of the
 * values, so it is known before a byte is read.
 */
final class BatchLayout {
    static final int ALIGNMENT = 64;

    private final FeedContext job;
    private final BatchField[] fields;
    private final BatchRows rows;
    private final long[] valuesAt;
    private final long[] offsetsAt;
    private final long[] shapesAt;
    private final long[] widths;
    private final long[][] starts;
    private long bytes;

    BatchLayout(FeedContext job, BatchRows rows) {
        this.job = job;
        this.fields = job.fields();
        this.rows = rows;
        this.valuesAt = new long[fields.length];
        this.offsetsAt = new long[fields.length];
        this.shapesAt = new long[fields.length];
        this.widths = new long[fields.length];
        this.starts = new long[fields.length][0];
    }

    private void makeRoom(int count) {
        for (int f = 0; f < fields.length; f++) {
            if (starts[f].length < count) {
                starts[f] = new long[count];
            }
        }
    }

    /** Gives every value of the rows its place. */
    void layOut() {
        bytes = 0;
        makeRoom(rows.count());
        try {
            bytes = place();
        } catch (ArithmeticException e) {
            throw new StokerException("a batch of " + rows.count() + " samples needs more than 2^63 bytes", e);
        }
    }

    private long place() {
        long end = 0;
        for (int f = 0; f < fields.length; f++) {
            BatchField field = fields[f];
            if (field.shapeRank() > 0) {
                shapesAt[f] = LittleEndian.align(end, ALIGNMENT);
                end = shapesAt[f] + 8L * rows.count() * field.shapeRank();
            }
            if (!field.isDense()) {
                offsetsAt[f] = LittleEndian.align(end, ALIGNMENT);
                end = offsetsAt[f] + 8L * (rows.count() + 1);
            }
            valuesAt[f] = LittleEndian.align(end, ALIGNMENT);
            widths[f] = findWidth(f);
            long at = valuesAt[f];
            for (int row = 0; row < rows.count(); row++) {
                starts[f][row] = at;
                at = Math.addExact(at, widths[f] >= 0 ? widths[f] : rows.length(f, row));
            }
            end = at;
        }
        return end;
    }

    private long findWidth(int f) {
        BatchField field = fields[f];
        if (field.type().isFixed()) {
            return field.type().width();
        }
        if (field.padding() == BatchField.NONE) {
            return -1;
        }
        long longest = 0;
        for (int row = 0; row < rows.count(); row++) {
            longest = Math.max(longest, rows.length(f, row));
            if (field.padding() != BatchField.LONGEST && longest > field.padding()) {
                throw new StokerException(job.describe(rows.place(row)) + " has " + longest + " bytes in field '"
                        + field.field().name() + "', more than the " + field.padding()
                        + " that values are padded to; pad to more");
            }
        }
        return field.padding() == BatchField.LONGEST ? longest : field.padding();
    }

    /** The bytes of the whole batch. */
    long bytes() {
        return bytes;
    }

    int fieldCount() {
        return fields.length;
    }

    /** Where a field's values begin, and where they end. */
    long valuesAt(int f) {
        return valuesAt[f];
    }

    long valuesEnd(int f) {
        int last = rows.count() - 1;
        return last < 0 ? valuesAt[f] : starts[f][last] + (widths[f] >= 0 ? widths[f] : rows.length(f, last));
    }

    long offsetsAt(int f) {
        return offsetsAt[f];
    }

    /** The bytes from one value of a dense field to the next; -1 if the field is not dense. */
    long width(int f) {
        return widths[f];
    }

    /** Where a value begins. */
    long start(int f, int row) {
        return starts[f][row];
    }

    /** The bytes of one value, without padding. */
    long length(int f, int row) {
        return fields[f].isDecoded() ? widths[f] : rows.length(f, row);
    }

    void writeShape(MemorySegment memory, int f, int row, OpenDatasetFile member) {
        int rank = fields[f].shapeRank();
        long[] shape =
                rows.isMissing(f, row) ? new long[rank] : member.samples().shape(rows.local(row), rows.source(f, row));
        for (int d = 0; d < rank; d++) {
            memory.set(LittleEndian.U64, shapesAt[f] + 8L * ((long) row * rank + d), shape[d]);
        }
    }

    MemorySegment shapes(MemorySegment memory, int f) {
        return memory.asSlice(shapesAt[f], 8L * rows.count() * fields[f].shapeRank());
    }

    long[] readShape(MemorySegment memory, int f, int row) {
        var shape = new long[fields[f].shapeRank()];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = memory.get(LittleEndian.U64, shapesAt[f] + 8L * ((long) row * shape.length + d));
        }
        return shape;
    }

    void writeOffsets(MemorySegment memory) {
        for (int f = 0; f < fields.length; f++) {
            if (fields[f].isDense()) {
                continue;
            }
            for (int row = 0; row < rows.count(); row++) {
                memory.set(LittleEndian.U64, offsetsAt[f] + 8L * row, starts[f][row] - valuesAt[f]);
            }
            memory.set(LittleEndian.U64, offsetsAt[f] + 8L * rows.count(), valuesEnd(f) - valuesAt[f]);
        }
    }
}

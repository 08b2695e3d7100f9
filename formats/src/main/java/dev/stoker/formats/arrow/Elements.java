package dev.stoker.formats.arrow;

import dev.stoker.StokerException;
import dev.stoker.formats.arrow.BatchCursor.Node;
import dev.stoker.formats.arrow.BatchCursor.Span;
import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.json.Json;
import dev.stoker.sample.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Items of one size that lie in one buffer: numbers, or fixed-size lists of them, however deep.
 *
 * @param levels the sizes of the lists, from the outermost
 * @param shape of an item; empty for a number
 * @param perItem how many elements an item has
 * @param bits whether an element is a bit, which a value holds as a byte
 */
record Elements(DType dtype, List<Integer> levels, List<Long> shape, long perItem, boolean bits) {
    /** The items of a record batch: how many, where the first one lies, which are null. */
    record Block(long items, long offset, Validity validity) {}

    /** The items of a column or of the child of a list; null if they are of other types. */
    static @Nullable Elements of(ArrowField field) {
        var levels = new ArrayList<Integer>();
        var shape = new ArrayList<Long>();
        long perItem = 1;
        ArrowField leaf = field;
        while (leaf.type() instanceof ArrowType.FixedList list && leaf.dictionary() == null) {
            levels.add(list.size());
            shape.addAll(dimensions(leaf, list.size()));
            perItem = Math.multiplyExact(perItem, (long) list.size());
            leaf = leaf.children().getFirst();
        }
        return leaf.dictionary() != null ? null : of(leaf, levels, shape, perItem);
    }

    private static @Nullable Elements of(ArrowField leaf, List<Integer> levels, List<Long> shape, long perItem) {
        return switch (leaf.type()) {
            case ArrowType.Numeric number
            when number.dtype() == DType.INT8 && leaf.is(ArrowField.BOOL8) ->
                new Elements(DType.BOOL, levels, shape, perItem, false);
            case ArrowType.Numeric number -> new Elements(number.dtype(), levels, shape, perItem, false);
            case ArrowType.Bool _ -> new Elements(DType.BOOL, levels, shape, perItem, true);
            case ArrowType.FixedBytes bytes -> {
                shape.add((long) bytes.width());
                yield new Elements(
                        DType.UINT8, levels, shape, Math.multiplyExact(perItem, (long) bytes.width()), false);
            }
            default -> null;
        };
    }

    /** The dimensions of a list: one, unless it is a tensor that says otherwise. */
    private static List<Long> dimensions(ArrowField field, int size) {
        if (!field.is(ArrowField.FIXED_TENSOR) || field.extension() == null) {
            return List.of((long) size);
        }
        Object metadata = Json.parse(field.extension().metadata(), ArrowField.FIXED_TENSOR);
        Object found = metadata instanceof Map<?, ?> map ? map.get("shape") : null;
        var shape = new ArrayList<Long>();
        long elements = 1;
        for (Object dimension : found instanceof List<?> list ? list : List.of(-1L)) {
            long checked = dimension instanceof Long number && number >= 0 ? number : -1;
            elements = checked < 0 ? -1 : Math.multiplyExact(elements, checked);
            if (elements < 0) {
                break;
            }
            shape.add(checked);
        }
        if (elements != size) {
            throw new StokerException("its shape should be one of " + size + " elements but is " + found);
        }
        return shape;
    }

    boolean isNumber() {
        return levels.isEmpty() && shape.isEmpty();
    }

    /** Bytes of one item's value. */
    long width() {
        return Math.multiplyExact(perItem, dtype.bytes());
    }

    /**
     * Takes the nodes and buffers of the items.
     *
     * @param node of the items, taken already
     * @param nullable whether nulls are let through, which then are marked in the block; else they are refused
     */
    Block read(BatchCursor batch, Node node, String column, boolean nullable) {
        long rows = node.rows();
        Node inner = node;
        for (int size : levels) {
            batch.noNulls(inner, column);
            rows = Math.multiplyExact(rows, (long) size);
            inner = batch.node();
            if (inner.rows() < rows) {
                throw batch.corrupt("a list of " + rows + " elements has only " + inner.rows());
            }
        }
        Validity validity = batch.validity(inner);
        if (validity.hasNulls() && !nullable) {
            throw batch.nulls(column);
        }
        Span data = bits ? batch.bits(rows) : batch.buffer(node.rows(), width());
        return new Block(node.rows(), data.offset(), validity);
    }

    /** Gives {@code count} items from {@code first} on as one value. */
    void give(Block block, long first, long count, BatchCursor batch, ValueSink to, boolean indexed) {
        if (bits) {
            to.value(unpacked(block, first, count, batch));
            return;
        }
        long offset = block.offset + first * width();
        long length = count * width();
        if (indexed) {
            to.value(batch.bytes().asSlice(offset, length));
        } else {
            to.stored(batch.address(offset), length);
        }
    }

    private MemorySegment unpacked(Block block, long first, long count, BatchCursor batch) {
        var bools = new byte[Math.toIntExact(Math.multiplyExact(count, perItem))];
        long bit = first * perItem;
        for (int i = 0; i < bools.length; i++, bit++) {
            bools[i] = (byte) (batch.bytes().get(ValueLayout.JAVA_BYTE, block.offset + (bit >> 3)) >> (bit & 7) & 1);
        }
        return MemorySegment.ofArray(bools);
    }
}

package dev.stoker.formats.arrow;

import dev.stoker.StokerException;
import dev.stoker.formats.arrow.BatchCursor.Node;
import dev.stoker.formats.arrow.BatchCursor.Span;
import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.json.Json;
import dev.stoker.sample.DType;
import dev.stoker.sample.StandIn;
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
    /**
     * The items of a record batch.
     *
     * @param offset where the first one begins
     * @param nulls the levels that have nulls, from the outermost
     * @param column what the column is called
     */
    record Block(long items, long offset, List<Nulls> nulls, String column) {
        /** Whether any element of these items is null. */
        boolean hasNull(long first, long count, Elements of) {
            for (long e = first * of.perItem; !nulls.isEmpty() && e < (first + count) * of.perItem; e++) {
                if (isNull(e)) {
                    return true;
                }
            }
            return false;
        }

        private boolean isNull(long element) {
            return nulls.stream().anyMatch(level -> level.isNull(element));
        }

        /** Whether a null begins at an element; one within another null doesn't count. */
        private boolean begins(long element) {
            for (Nulls level : nulls) {
                if (level.isNull(element)) {
                    return element % level.elements == 0;
                }
            }
            return false;
        }
    }

    /**
     * Which lists of a level, or which elements, are null.
     *
     * @param elements how many elements each has
     */
    record Nulls(Validity validity, long elements) {
        boolean isNull(long element) {
            return validity.isNull(element / elements);
        }
    }

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
     */
    Block read(BatchCursor batch, Node node, String column) {
        var nulls = new ArrayList<Nulls>();
        long rows = node.rows();
        long each = perItem;
        Node inner = node;
        for (int size : levels) {
            addNulls(batch.validity(inner), each, nulls);
            rows = Math.multiplyExact(rows, (long) size);
            each = size == 0 ? 0 : each / size;
            inner = batch.node();
            if (inner.rows() < rows) {
                throw batch.corrupt("a list of " + rows + " elements has only " + inner.rows());
            }
        }
        addNulls(batch.validity(inner), each, nulls);
        Span data = bits ? batch.bits(rows) : batch.buffer(node.rows(), width());
        return new Block(node.rows(), data.offset(), nulls, column);
    }

    /** Lists without elements have nothing that a null would change. */
    private static void addNulls(Validity validity, long elements, List<Nulls> nulls) {
        if (validity.hasNulls() && elements > 0) {
            nulls.add(new Nulls(validity, elements));
        }
    }

    /**
     * Gives {@code count} items from {@code first} on as one value.
     *
     * @param copies whether it is given itself; else it is where it is in the file, unless an element is null
     */
    void give(Block block, long first, long count, BatchCursor batch, ValueSink to, boolean copies) {
        boolean hasNull = block.hasNull(first, count, this);
        long offset = block.offset + first * width();
        long length = count * width();
        if (bits) {
            MemorySegment unpacked = unpacked(block, first, count, batch);
            to.value(hasNull ? replaced(unpacked, block, first, to) : unpacked);
        } else if (copies) {
            MemorySegment value = batch.bytes().asSlice(offset, length);
            to.value(hasNull ? replaced(copy(value), block, first, to) : value);
        } else {
            if (hasNull) {
                to.requireCopies(batch, block.column);
            }
            to.stored(batch.address(offset), length);
        }
    }

    private static MemorySegment copy(MemorySegment value) {
        return MemorySegment.ofArray(value.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Puts stand-ins where elements are null, and counts the nulls. */
    private MemorySegment replaced(MemorySegment value, Block block, long first, ValueSink to) {
        int bytes = dtype.bytes();
        for (long at = 0, element = first * perItem; at < value.byteSize(); at += bytes, element++) {
            if (block.isNull(element)) {
                StandIn.fill(value.asSlice(at, bytes), dtype);
                if (block.begins(element)) {
                    to.missing();
                }
            }
        }
        return value;
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

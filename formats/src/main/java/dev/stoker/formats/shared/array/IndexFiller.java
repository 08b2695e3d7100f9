package dev.stoker.formats.shared.array;

import dev.stoker.formats.shared.limit.Budget;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.text.Utf8;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Gives an Index the place or the value of every field of every sample, group after group. */
public final class IndexFiller {
    /** Samples that a file may have beyond its bytes: rows of no bytes, or that were never written. */
    private static final long SAMPLES_WITHOUT_BYTES = 1 << 20;

    /** What the Index may hold of the values and places of samples, beyond what is in proportion to the container. */
    private static final long INDEX_BYTES = 64 << 20;

    /** Labels of samples that are in the order of their classes compress so well. */
    private static final long INDEX_BYTES_PER_BYTE = 256;

    /** Numbers of more bytes than this are not kept a second time, in the Index, if there is another way to find them. */
    private static final long LARGE_BYTES = 64 << 20;

    private static final long PLACE_BYTES = 16;
    /** Also a shorter value takes the time to find it. */
    private static final long SHORTEST_BYTES = 8;

    private final Origin origin;
    private final Schema schema;
    /** For each group the readers of all fields. */
    private final List<List<ColumnReader>> groups;

    private final long samples;
    private final Budget index;
    private long textBytes;
    /** Decoded bytes of the fields that were placed in blocks so far; -1 if one of them does not tell. */
    private long decodedBytes;

    public IndexFiller(Origin origin, Schema schema, List<List<ColumnReader>> groups) {
        this.origin = origin;
        this.schema = schema;
        this.groups = groups;
        this.index = new Budget(INDEX_BYTES, () -> INDEX_BYTES_PER_BYTE * origin.storedBytes());
        long total = 0;
        long stored = 0;
        for (List<ColumnReader> group : groups) {
            total = Math.addExact(total, group.getFirst().count());
            stored += group.stream().mapToLong(ColumnReader::storedRows).max().orElse(0);
        }
        this.samples = total;
        if (samples > Math.max(stored, origin.size()) + SAMPLES_WITHOUT_BYTES) {
            throw origin.corrupt(-1, "a file of " + origin.size() + " bytes cannot hold " + samples + " samples");
        }
    }

    public IndexBuilder fill(List<Split> splits) {
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < schema.size(); f++) {
            placements.add(placement(f));
        }
        return new IndexBuilder(schema, placements).filledBy(builder -> {
            for (int f = 0; f < schema.size(); f++) {
                fill(builder, f, placements.get(f));
            }
            builder.splits(splits);
        });
    }

    private Placement placement(int field) {
        FieldType type = schema.type(field);
        if (IndexedFields.has(schema.fields().get(field)) && !isLarge(field)) {
            return Placement.indexed(type.isFixed());
        }
        boolean allStored = true;
        boolean allInBlocks = true;
        for (List<ColumnReader> group : groups) {
            allStored &= group.get(field).isStored();
            allInBlocks &= group.get(field).isInBlocks();
        }
        if (allStored && origin.isFolder()) {
            // Only values of no bytes lie nowhere else.
            return Placement.indexed(type.isFixed());
        }
        if (allStored) {
            long base = type.isFixed() ? commonBase(field, type.width()) : -1;
            return base >= 0 ? Placement.storedFrom(base) : Placement.stored();
        }
        if (!allInBlocks) {
            long width = Math.max(1, type.width());
            groups.getFirst().get(field).requireKeepable(Math.multiplyExact(samples, width));
            return Placement.indexed(type.isFixed());
        }
        long base = decodedBytes;
        for (List<ColumnReader> group : groups) {
            long dense = group.get(field).denseBlockBytes();
            decodedBytes = decodedBytes < 0 || dense < 0 ? -1 : Math.addExact(decodedBytes, dense);
        }
        return type.isFixed() && decodedBytes >= 0 ? Placement.blocksFrom(base) : Placement.blocks();
    }

    /** Whether the numbers of a field are many, and one after another in the container or in its blocks. */
    private boolean isLarge(int field) {
        FieldType type = schema.type(field);
        if (!type.isFixed() || origin.isFolder() || samples <= LARGE_BYTES / Math.max(1, type.width())) {
            return false;
        }
        boolean isInBlocks = groups.stream()
                .map(group -> group.get(field))
                .allMatch(reader -> !reader.isStored() && reader.isInBlocks() && reader.denseBlockBytes() >= 0);
        return isInBlocks || commonBase(field, type.width()) >= 0;
    }

    /** Where the values of all groups begin, if they lie one after another, else -1. */
    private long commonBase(int field, long width) {
        long base = -1;
        long end = -1;
        for (List<ColumnReader> group : groups) {
            ColumnReader reader = group.get(field);
            if (reader.count() > 0) {
                if (reader.base() < 0 || (base >= 0 && reader.base() != end)) {
                    return -1;
                }
                base = base < 0 ? reader.base() : base;
                end = reader.base() + reader.count() * width;
            }
        }
        return base;
    }

    private void fill(IndexBuilder builder, int field, Placement placement) {
        if (placement.place() == Placement.Place.FILE && placement.dense()) {
            builder.storedDense(field, samples);
            return;
        }
        if (placement.place() == Placement.Place.BLOCKS) {
            fillBlocks(builder, field, placement);
            return;
        }
        for (List<ColumnReader> group : groups) {
            ColumnReader reader = group.get(field);
            if (placement.dense()) {
                // At once: to find out value by value that they are too many takes long.
                long width = Math.max(SHORTEST_BYTES, schema.type(field).width());
                requireRoom(reader, Math.multiplyExact(reader.count(), width));
            }
            for (long row = 0; row < reader.count(); row++) {
                if (placement.place() == Placement.Place.FILE) {
                    Span span = reader.span(row);
                    requireRoom(reader, PLACE_BYTES);
                    builder.stored(field, span.offset(), span.length());
                    checkText(field, reader, row, span.length());
                } else {
                    MemorySegment value = reader.value(row);
                    if (!placement.dense()) {
                        requireRoom(reader, PLACE_BYTES + Math.max(SHORTEST_BYTES, value.byteSize()));
                    }
                    builder.value(field, value);
                    checkText(field, reader, row, value.byteSize());
                }
                addShape(builder, field, reader, row);
            }
        }
    }

    private void fillBlocks(IndexBuilder builder, int field, Placement placement) {
        for (List<ColumnReader> group : groups) {
            ColumnReader reader = group.get(field);
            long address = reader.addBlocks(builder.blocks());
            for (long row = 0; row < reader.count() && !placement.dense(); row++) {
                Span span = reader.blockSpan(address, row);
                requireRoom(reader, PLACE_BYTES);
                builder.stored(field, span.offset(), span.length());
                checkText(field, reader, row, span.length());
                addShape(builder, field, reader, row);
            }
        }
        if (placement.dense()) {
            builder.storedDense(field, samples);
        }
    }

    /** Fields of samples that were never written take no byte of the container, but each a place in the Index. */
    private void requireRoom(ColumnReader reader, long bytes) {
        if (!index.take(bytes)) {
            throw origin.unsupported("with " + reader.label() + " its samples take far more memory than the container"
                    + " has bytes; most of their values were never written, or are the same");
        }
    }

    private void addShape(IndexBuilder builder, int field, ColumnReader reader, long row) {
        if (schema.type(field) instanceof FieldType.Array) {
            builder.shape(field, reader.shape(row));
        }
    }

    /** Text has to be UTF-8; and all in heaps together fits the file, or it was made to take memory. */
    private void checkText(int field, ColumnReader reader, long row, long length) {
        Field checked = schema.fields().get(field);
        boolean isText = checked.type() instanceof FieldType.Text;
        if (!isText && !(checked.type() instanceof FieldType.Texts)) {
            return;
        }
        textBytes += reader.mayShareTexts() ? length : 0;
        if (textBytes > origin.size() + SAMPLES_WITHOUT_BYTES) {
            throw origin.corrupt(
                    -1,
                    reader.label() + ", row " + row + ": its texts are longer than the file;"
                            + " many samples refer to the same ones");
        }
        if (isText) {
            byte[] text = reader.value(row).toArray(ValueLayout.JAVA_BYTE);
            if (Utf8.firstMalformed(text, 0, text.length) >= 0) {
                throw origin.unsupported(reader.label() + ", row " + row + ": the text is not UTF-8");
            }
        }
    }
}

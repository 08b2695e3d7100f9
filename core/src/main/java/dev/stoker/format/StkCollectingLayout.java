package dev.stoker.format;

import dev.stoker.index.ContainerIdentity;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code .stk} whose samples came first: the Index stands behind them. Sample after sample, all fields in the order
 * of the schema, each at a multiple of 8 bytes (arrays: 64). Keys and numbers are copied into the Index at the end.
 */
final class StkCollectingLayout implements CollectingLayout {
    /** Samples whose rows are written at once. */
    private static final long STEP = 1 << 16;

    private final Schema schema;
    private final List<Placement> placements = new ArrayList<>();

    StkCollectingLayout(Schema schema) {
        this.schema = schema;
        for (Field field : schema.fields()) {
            placements.add(placement(field));
        }
    }

    private static Placement placement(Field field) {
        boolean isKey = field.name().equals(Field.KEY);
        if (field.type().isFixed() && field.type().width() <= Placement.NARROW) {
            return Placement.indexed(true);
        }
        return isKey && !field.type().isFixed() ? Placement.indexed(false) : Placement.stored();
    }

    @Override
    public long headBytes() {
        return IndexLayout.headBytes(schema.size());
    }

    @Override
    public boolean canReorder() {
        return true;
    }

    @Override
    public void fill(Samples batch, RunWriter out) {
        for (long i = 0; i < batch.count(); i++) {
            for (int f = 0; f < schema.size(); f++) {
                out.align(schema.type(f) instanceof FieldType.Array ? 64 : 8);
                out.value(i, f);
            }
        }
    }

    @Override
    public void seal(CollectedSamples all, OutputFile file) {
        var indexedBytes = new long[schema.size()];
        for (int f = 0; f < schema.size(); f++) {
            for (long i = 0; placements.get(f).place() == Placement.Place.INDEX && i < all.count(); i++) {
                indexedBytes[f] += all.length(i, f);
            }
        }
        var meta = new IndexMeta("stk", schema, List.of(), placements);
        IndexLayout layout =
                IndexLayout.containerBehind(meta, all.count(), indexedBytes, all.start(), all.end() - all.start());
        file.resize(layout.length());
        file.write(layout.metaOffset(), layout.metaBytes());
        for (int f = 0; f < schema.size(); f++) {
            long values = placements.get(f).place() == Placement.Place.INDEX ? layout.values(f) : -1;
            for (long first = 0; first < all.count(); first += STEP) {
                values = writeRows(all, layout, f, first, Math.min(all.count(), first + STEP), values, file);
            }
        }
        MemorySegment head = layout.seal(file::checksum, ContainerIdentity.NONE, true);
        file.write(head.byteSize(), MemorySegment.ofArray(new byte[(int) (all.start() - head.byteSize())]));
        file.sync();
        file.write(0, head);
    }

    /** Writes what the Index has of some samples; returns where the next values that it keeps belong. */
    private long writeRows(
            CollectedSamples all, IndexLayout layout, int field, long first, long end, long values, OutputFile file) {
        boolean dense = placements.get(field).dense();
        long next = values;
        try (var arena = Arena.ofConfined()) {
            long rows = end - first;
            MemorySegment extents = arena.allocate(rows * IndexLayout.EXTENT_BYTES);
            MemorySegment checksums = arena.allocate(rows * 4);
            for (long i = first; i < end; i++) {
                long row = (i - first) * IndexLayout.EXTENT_BYTES;
                extents.set(LittleEndian.U64, row, values < 0 ? all.offset(i, field) : next);
                extents.set(LittleEndian.U64, row + 8, all.length(i, field));
                MemorySegment value = all.value(i, field);
                if (values >= 0) {
                    file.write(next, value);
                    next += value.byteSize();
                } else {
                    checksums.set(LittleEndian.U32, (i - first) * 4, Checksum.of(value));
                }
            }
            if (!dense) {
                file.write(layout.extents(field) + first * IndexLayout.EXTENT_BYTES, extents);
            }
            if (placements.get(field).checksums()) {
                file.write(layout.checksums(field) + first * 4, checksums);
            }
            if (schema.type(field) instanceof FieldType.Array array) {
                writeShapes(all, layout, field, first, end, array.rank(), file);
            }
        }
        return next;
    }

    private static void writeShapes(
            CollectedSamples all, IndexLayout layout, int field, long first, long end, int rank, OutputFile file) {
        try (var arena = Arena.ofConfined()) {
            MemorySegment shapes = arena.allocate((end - first) * 8 * rank);
            long at = 0;
            for (long i = first; i < end; i++) {
                for (long dimension : all.shape(i, field)) {
                    shapes.set(LittleEndian.U64, at, dimension);
                    at += 8;
                }
            }
            file.write(layout.shapes(field) + first * 8 * rank, shapes);
        }
    }
}

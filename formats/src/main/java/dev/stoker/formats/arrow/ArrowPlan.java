package dev.stoker.formats.arrow;

import dev.stoker.StokerException;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.format.RunCutter;
import dev.stoker.format.RunWriter;
import dev.stoker.format.StoredBlocks;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.index.BlockMeta;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A planned Arrow file. A run is one or more whole record batches; the first run is the file's head, the last its
 * footer. The metadata of a record batch is made when it is filled: it has the same length in all of them.
 */
final class ArrowPlan implements Plan {
    static final int DEFAULT_ROWS = 1024;
    static final long DEFAULT_BYTES = 16 << 20;

    private final IndexLayout index;
    private final @Nullable StoredBlocks blocks;
    private final List<ColumnWriter> writers = new ArrayList<>();
    private final Batches batches;
    /** Where each record batch begins, and where the last one ends. */
    private final long[] offsets;

    private final int batchHeadBytes;
    private final byte[] head;
    private final byte[] footerHead;
    private final int footerBytes;
    private final List<Run> runs = new ArrayList<>();
    private final long length;

    /** @param blocks the values, if they were compressed */
    ArrowPlan(Samples samples, Options options, @Nullable StoredBlocks blocks) {
        this.blocks = blocks;
        Schema schema = samples.schema();
        Schema named = named(schema, options);
        this.batches = Batches.of(samples, options, blocks != null);
        var columns = new ArrayList<ArrowField>();
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < schema.size(); f++) {
            Field field = schema.fields().get(f);
            columns.add(Fields.column(named.fields().get(f).name(), field, batches.isLarge(f)));
            Placement placement = placement(field.type());
            placements.add(blocks != null && isInFile(placement) ? Placement.blocks() : placement);
            writers.add(ColumnWriter.of(samples, f, batches.isLarge(f)));
        }
        String metadata = ColumnMetadata.write(schema, options);
        this.head = Frame.head(columns, metadata);
        this.batchHeadBytes = Frame.batchHead(lay(0, 0)).length;
        this.footerHead = Frame.footerHead(columns, metadata, batches.count());
        this.footerBytes = footerBytes();
        this.offsets = new long[batches.count() + 1];
        cutRuns();
        this.length = runs.getLast().offset() + runs.getLast().length();
        this.index = layout(samples, placements);
    }

    private IndexLayout layout(Samples samples, List<Placement> placements) {
        Schema schema = samples.schema();
        long[] indexed = IndexLayout.indexedBytes(samples, placements);
        if (blocks == null) {
            var meta = new IndexMeta(ArrowFormat.NAME, schema, samples.splits(), placements);
            return IndexLayout.sidecar(meta, samples.count(), indexed);
        }
        BlockMeta how = BlockMeta.of(blocks.cut().codec());
        var meta = new IndexMeta(ArrowFormat.NAME, schema, samples.splits(), placements, how);
        return IndexLayout.sidecar(meta, samples.count(), indexed, blocks.cut().blocks(), 0);
    }

    static boolean isInFile(Placement placement) {
        return placement.place() == Placement.Place.FILE;
    }

    /** Where the values of a field lie, as {@link ColumnReader}s find them. */
    static Placement placement(FieldType type) {
        if (type instanceof FieldType.Texts) {
            return Placement.indexed(false);
        }
        return type.isFixed() && type.width() <= Placement.NARROW ? Placement.indexed(true) : Placement.stored();
    }

    /** The fields as their columns are called; two columns of one name are refused. */
    private static Schema named(Schema schema, Options options) {
        var fields = new ArrayList<Field>();
        for (Field field : schema.fields()) {
            fields.add(new Field(options.nameOf(field.name()), field.type()));
        }
        return new Schema(fields);
    }

    private int footerBytes() {
        long bytes = footerHead.length + (long) Frame.BLOCK_BYTES * batches.count();
        if (bytes > Integer.MAX_VALUE) {
            throw new StokerException(batches.count() + " record batches need a footer of " + bytes
                    + " bytes, but in an Arrow file it has at most " + Integer.MAX_VALUE
                    + "; give a larger --" + ArrowFormat.ROWS_PER_BATCH);
        }
        return (int) bytes;
    }

    private void cutRuns() {
        var cut = new RunCutter(head.length);
        for (int b = 0; b < batches.count(); b++) {
            offsets[b] = cut.position();
            long body = lay(batches.first(b), batches.first(b + 1)).bodyLength();
            cut.samples(batches.first(b + 1) - batches.first(b), Math.addExact(cut.position() + batchHeadBytes, body));
        }
        long end = cut.position();
        offsets[batches.count()] = end;
        runs.add(Run.frame(0, head.length));
        runs.addAll(cut.finish());
        runs.add(Run.frame(end, Frame.PREFIX_BYTES + (long) footerBytes + Frame.tail(footerBytes).length));
    }

    private BatchLayout lay(long first, long end) {
        var layout = new BatchLayout(end - first, blocks);
        for (ColumnWriter writer : writers) {
            writer.lay(first, end, layout);
        }
        return layout;
    }

    @Override
    public IndexLayout index() {
        return index;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int runs() {
        return runs.size();
    }

    @Override
    public Run run(int number) {
        return runs.get(number);
    }

    @Override
    public void fill(int number, RunWriter out) {
        if (number == 0) {
            out.put(head);
        } else if (number == runs.size() - 1) {
            fillFooter(out);
        } else {
            long end = runs.get(number).end();
            for (int b = batches.startingAt(runs.get(number).first()); batches.first(b) < end; b++) {
                fillBatch(batches.first(b), batches.first(b + 1), out);
            }
        }
    }

    private void fillBatch(long first, long end, RunWriter out) {
        out.put(Frame.batchHead(lay(first, end)));
        var body = new BodyWriter(out, blocks);
        for (ColumnWriter writer : writers) {
            writer.fill(first, end, body);
        }
    }

    private void fillFooter(RunWriter out) {
        out.put(Frame.endOfMessages());
        out.put(footerHead);
        var blocks = new NumberPut(out, 8, 3L * batches.count());
        for (int b = 0; b < batches.count(); b++) {
            blocks.put(offsets[b]);
            blocks.put(batchHeadBytes);
            blocks.put(offsets[b + 1] - offsets[b] - batchHeadBytes);
        }
        blocks.flush();
        out.put(Frame.tail(footerBytes));
    }
}

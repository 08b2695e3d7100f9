package dev.stoker.formats.arrow;

import dev.stoker.StokerException;
import dev.stoker.format.CompressedBlocks;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.formats.shared.table.TableColumns;
import dev.stoker.index.Placement;
import dev.stoker.sample.Field;
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

    private final @Nullable CompressedBlocks blocks;
    private final List<ColumnWriter> writers = new ArrayList<>();
    private final Batches batches;
    /** Where each record batch begins, and where the last one ends. */
    private final long[] offsets;

    private final int batchHeadBytes;
    private final byte[] head;
    private final byte[] footerHead;
    private final int footerBytes;
    private final PlanOutline outline;

    /** @param blocks the values, if they were compressed */
    ArrowPlan(Samples samples, FormatOptions options, @Nullable CompressedBlocks blocks) {
        this.blocks = blocks;
        Schema schema = samples.schema();
        Schema named = options.renamed(schema);
        this.batches = Batches.of(samples, options, blocks != null);
        var columns = new ArrayList<ArrowField>();
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < schema.size(); f++) {
            Field field = schema.fields().get(f);
            columns.add(Fields.column(named.fields().get(f).name(), field, batches.isLarge(f)));
            Placement placement = TableColumns.placement(field.type());
            placements.add(blocks != null && isInFile(placement) ? Placement.blocks() : placement);
            writers.add(ColumnWriter.of(samples, f, batches.isLarge(f)));
        }
        String metadata = ColumnMetadata.write(schema, options);
        this.head = Frame.head(columns, metadata);
        this.batchHeadBytes = Frame.batchHead(lay(0, 0)).length;
        this.footerHead = Frame.footerHead(columns, metadata, batches.count());
        this.footerBytes = footerBytes();
        this.offsets = new long[batches.count() + 1];
        List<Run> runs = cutRuns();
        this.outline = new PlanOutline(
                CompressedBlocks.sidecar(ArrowFormat.NAME, samples, placements, blocks),
                runs.getLast().offset() + runs.getLast().length(),
                runs);
    }

    static boolean isInFile(Placement placement) {
        return placement.place() == Placement.Place.FILE;
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

    private List<Run> cutRuns() {
        var cut = new RunPlanner(head.length);
        for (int b = 0; b < batches.count(); b++) {
            offsets[b] = cut.position();
            long body = lay(batches.first(b), batches.first(b + 1)).bodyLength();
            cut.samples(batches.first(b + 1) - batches.first(b), Math.addExact(cut.position() + batchHeadBytes, body));
        }
        long end = cut.position();
        offsets[batches.count()] = end;
        var runs = new ArrayList<Run>();
        runs.add(Run.frame(0, head.length));
        runs.addAll(cut.finish());
        runs.add(Run.frame(end, Frame.PREFIX_BYTES + (long) footerBytes + Frame.tail(footerBytes).length));
        return runs;
    }

    private BatchLayout lay(long first, long end) {
        var layout = new BatchLayout(end - first, blocks);
        for (ColumnWriter writer : writers) {
            writer.lay(first, end, layout);
        }
        return layout;
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int number, RunWriter out) {
        if (number == 0) {
            out.put(head);
        } else if (number == runs() - 1) {
            fillFooter(out);
        } else {
            long end = run(number).end();
            for (int b = batches.startingAt(run(number).first()); batches.first(b) < end; b++) {
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
        var blocks = new NumberWriter(out, 8, 3L * batches.count());
        for (int b = 0; b < batches.count(); b++) {
            blocks.put(offsets[b]);
            blocks.put(batchHeadBytes);
            blocks.put(offsets[b + 1] - offsets[b] - batchHeadBytes);
        }
        blocks.flush();
        out.put(Frame.tail(footerBytes));
    }
}

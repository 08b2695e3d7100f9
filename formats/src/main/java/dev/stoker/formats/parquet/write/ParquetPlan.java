package dev.stoker.formats.parquet.write;

import dev.stoker.format.CompressedBlocks;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.parquet.ParquetFormat;
import dev.stoker.formats.parquet.schema.ParquetMagic;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.formats.shared.table.TableColumns;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A planned Parquet file. A run is one or more whole pages of one column; the first run is the magic, the last one
 * everything behind the row groups.
 */
public final class ParquetPlan implements Plan {
    private final long rows;
    private final PlanOutline outline;
    /** For each run its column; the first and the last have none. */
    private final List<LeafColumn> columnOfRun = new ArrayList<>();

    private final byte[] tail;

    /** @param blocks the values of some fields, if they were compressed */
    public ParquetPlan(Samples samples, FormatOptions options, @Nullable CompressedBlocks blocks) {
        this.rows = samples.count();
        var columns = new ColumnWriters(samples, options, blocks);
        RowGroups groups = RowGroups.of(samples, options);
        var runs = new ArrayList<Run>();
        runs.add(Run.frame(0, ParquetMagic.BYTES));
        long at = ParquetMagic.BYTES;
        var chunks = new ArrayList<List<ColumnChunk>>();
        var groupRows = new long[groups.count()];
        for (int g = 0; g < groups.count(); g++) {
            groupRows[g] = groups.first(g + 1) - groups.first(g);
            var inGroup = new ArrayList<ColumnChunk>();
            for (LeafColumn column : columns.leaves()) {
                var planner = new ChunkPlanner(samples, column, groups.first(g), at);
                inGroup.add(planner.plan(groups.first(g + 1)));
                at = Math.addExact(at, inGroup.getLast().bytes());
                for (Run run : planner.runs()) {
                    runs.add(run);
                    columnOfRun.add(column);
                }
            }
            chunks.add(inGroup);
        }
        String metadata = ColumnMetadata.write(samples.schema(), options);
        this.tail = new FooterWriter(at, chunks, groupRows)
                .write(columns.nodes(), metadata, columns.leaves().size());
        runs.add(Run.frame(at, tail.length));
        this.outline = new PlanOutline(layout(samples, blocks), at + tail.length, runs);
    }

    private static IndexLayout layout(Samples samples, @Nullable CompressedBlocks blocks) {
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < samples.schema().size(); f++) {
            boolean isCompressed = blocks != null && blocks.cut().fields().contains(f);
            placements.add(
                    isCompressed
                            ? Placement.blocks()
                            : TableColumns.placement(samples.schema().type(f)));
        }
        return CompressedBlocks.sidecar(ParquetFormat.NAME, samples, placements, blocks);
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int number, RunWriter out) {
        if (number == 0) {
            out.put(ParquetMagic.bytes());
        } else if (number == runs() - 1) {
            out.put(tail);
        } else {
            fillPages(run(number), columnOfRun.get(number - 1), out);
        }
    }

    private void fillPages(Run run, LeafColumn column, RunWriter out) {
        for (int page = column.pageAt(run.first()); column.firstRow(page, rows) < run.end(); page++) {
            long first = column.firstRow(page, rows);
            long end = column.firstRow(page + 1, rows);
            out.put(ChunkPlanner.header(column.writer().lay(first, end)));
            column.writer().fill(first, end, out);
        }
    }
}

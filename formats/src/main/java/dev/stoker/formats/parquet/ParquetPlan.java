package dev.stoker.formats.parquet;

import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.format.StoredBlocks;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.index.BlockMeta;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A planned Parquet file. A run is one or more whole pages of one column; the first run is the magic, the last one
 * everything behind the row groups.
 */
final class ParquetPlan implements Plan {
    private final long rows;
    private final IndexLayout index;
    private final List<Run> runs = new ArrayList<>();
    /** For each run its column; the first and the last have none. */
    private final List<LeafColumn> columnOfRun = new ArrayList<>();

    private final byte[] tail;
    private final long length;

    /** @param blocks the values of some fields, if they were compressed */
    ParquetPlan(Samples samples, Options options, @Nullable StoredBlocks blocks) {
        this.rows = samples.count();
        var columns = new Columns(samples, options, blocks);
        RowGroups groups = RowGroups.of(samples, options);
        runs.add(Run.frame(0, ParquetFormat.MAGIC.length));
        long at = ParquetFormat.MAGIC.length;
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
        this.length = at + tail.length;
        this.index = layout(samples, blocks);
    }

    private static IndexLayout layout(Samples samples, @Nullable StoredBlocks blocks) {
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < samples.schema().size(); f++) {
            boolean isCompressed = blocks != null && blocks.cut().fields().contains(f);
            placements.add(
                    isCompressed
                            ? Placement.blocks()
                            : Columns.placement(samples.schema().type(f)));
        }
        BlockMeta how =
                blocks == null ? BlockMeta.NONE : BlockMeta.of(blocks.cut().codec());
        var meta = new IndexMeta(ParquetFormat.NAME, samples.schema(), samples.splits(), placements, how);
        long[] indexed = IndexLayout.indexedBytes(samples, placements);
        return blocks == null
                ? IndexLayout.sidecar(meta, samples.count(), indexed)
                : IndexLayout.sidecar(
                        meta, samples.count(), indexed, blocks.cut().blocks(), 0);
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
            out.put(ParquetFormat.MAGIC);
        } else if (number == runs.size() - 1) {
            out.put(tail);
        } else {
            fillPages(runs.get(number), columnOfRun.get(number - 1), out);
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

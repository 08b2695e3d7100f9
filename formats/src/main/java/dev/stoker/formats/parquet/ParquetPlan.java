package dev.stoker.formats.parquet;

import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;

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

    ParquetPlan(Samples samples, Options options) {
        this.rows = samples.count();
        var columns = new Columns(samples, options);
        var groups = new RowGroups(samples, options.count(ParquetFormat.ROWS_PER_GROUP, RowGroups.DEFAULT_ROWS));
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
        String metadata = ParquetMetadata.write(samples.schema(), options);
        this.tail = new FooterWriter(at, chunks, groupRows)
                .write(columns.nodes(), metadata, columns.leaves().size());
        runs.add(Run.frame(at, tail.length));
        this.length = at + tail.length;
        List<Placement> placements = samples.schema().fields().stream()
                .map(field -> Columns.placement(field.type()))
                .toList();
        this.index = IndexLayout.sidecar(
                new IndexMeta(ParquetFormat.NAME, samples.schema(), samples.splits(), placements),
                samples.count(),
                IndexLayout.indexedBytes(samples, placements));
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

package dev.stoker.formats.parquet.write;

import dev.stoker.StokerException;
import dev.stoker.format.BlockPlan;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.formats.parquet.schema.Encoding;
import dev.stoker.formats.parquet.schema.PageType;
import dev.stoker.formats.parquet.thrift.ThriftType;
import dev.stoker.formats.parquet.thrift.ThriftWriter;
import dev.stoker.formats.parquet.write.PageWriter.Body;
import dev.stoker.sample.Samples;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts one column of one row group into pages, and these into runs. */
final class ChunkPlanner {
    private static final long PAGE_BYTES = 1 << 20;
    /** A bound on narrow values: who wants one row decodes a page. */
    private static final long PAGE_ROWS = 20_000;

    private final Samples samples;
    private final LeafColumn column;
    private final long firstRow;
    private final long offset;
    private final RunPlanner cut;
    private final List<PageLocation> pages = new ArrayList<>();
    private final List<ColumnBounds> pageBounds = new ArrayList<>();
    private long values;
    private long decodedBytes;

    /** Where a page lies, its header with it. */
    private record PageLocation(long offset, long bytes, long firstRow) {}

    ChunkPlanner(Samples samples, LeafColumn column, long firstRow, long offset) {
        this.samples = samples;
        this.column = column;
        this.firstRow = firstRow;
        this.offset = offset;
        this.cut = new RunPlanner(offset);
    }

    /** Plans the rows up to one; afterwards {@link #runs} are known. */
    ColumnChunk plan(long end) {
        if (column.writer() instanceof PageWriter.Compressed compressed) {
            cutAsBlocks(compressed.blocks().cut(), end);
        } else {
            cutByBytes(end);
        }
        ColumnBounds bounds = chunkBounds();
        return new ColumnChunk(
                column,
                offset,
                cut.position() - offset,
                decodedBytes,
                values,
                bounds,
                offsetIndex(),
                columnIndex(bounds));
    }

    private void cutAsBlocks(BlockPlan blocks, long end) {
        for (int g = blocks.groupAt(firstRow); g < blocks.groups() && blocks.end(g) <= end; g++) {
            page(blocks.first(g), blocks.end(g));
        }
    }

    private void cutByBytes(long end) {
        long first = firstRow;
        long bytes = 0;
        for (long row = firstRow; row < end; row++) {
            long more = column.writer().rowBytes(row);
            if (row > first && (bytes + more > PAGE_BYTES || row - first == PAGE_ROWS)) {
                page(first, row);
                first = row;
                bytes = 0;
            }
            bytes += more;
        }
        page(first, end);
    }

    List<Run> runs() {
        var runs = new ArrayList<Run>();
        for (Run run : cut.finish()) {
            runs.add(new Run(firstRow + run.first(), firstRow + run.end(), run.offset(), run.length()));
        }
        return runs;
    }

    private void page(long first, long end) {
        Body body = column.writer().lay(first, end);
        if (body.bytes() > Integer.MAX_VALUE || body.values() > Integer.MAX_VALUE) {
            throw new StokerException(samples.describe(first) + ": field '"
                    + samples.schema().fields().get(column.field()).name() + "' needs a page of " + body.bytes()
                    + " bytes, but in a Parquet file it has at most " + Integer.MAX_VALUE
                    + "; choose another format, such as stk");
        }
        column.page(first);
        long start = cut.position();
        int head = header(body).length;
        long bytes = head + body.stored();
        decodedBytes += head + body.bytes();
        cut.samples(end - first, Math.addExact(start, bytes));
        pages.add(new PageLocation(start, bytes, first - firstRow));
        values += body.values();
        bound(first, end);
    }

    private void bound(long first, long end) {
        if (column.bounded() == null) {
            return;
        }
        var bounds = new ColumnBounds(column.bounded());
        try (var arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(column.bounded().bytes());
            for (long row = first; row < end; row++) {
                samples.read(row, column.field(), 0, value);
                bounds.add(value);
            }
        }
        pageBounds.add(bounds);
    }

    private @Nullable ColumnBounds chunkBounds() {
        if (column.bounded() == null) {
            return null;
        }
        var all = new ColumnBounds(column.bounded());
        pageBounds.forEach(all::add);
        return all.isKnown() ? all : null;
    }

    private byte[] offsetIndex() {
        var to = new ThriftWriter();
        to.element().list(1, ThriftType.STRUCT, pages.size());
        for (PageLocation page : pages) {
            to.element()
                    .i64(1, page.offset)
                    .i32(2, page.bytes)
                    .i64(3, page.firstRow)
                    .end();
        }
        return to.end().toBytes();
    }

    private byte[] columnIndex(@Nullable ColumnBounds bounds) {
        if (bounds == null) {
            return new byte[0];
        }
        var to = new ThriftWriter();
        to.element().list(1, ThriftType.TRUE, pages.size());
        pages.forEach(_ -> to.flag(false));
        to.list(2, ThriftType.BINARY, pages.size());
        pageBounds.forEach(page -> to.binary(page.least()));
        to.list(3, ThriftType.BINARY, pages.size());
        pageBounds.forEach(page -> to.binary(page.most()));
        to.i32(4, 0).list(5, ThriftType.I64, pages.size());
        pages.forEach(_ -> to.number(0));
        return to.end().toBytes();
    }

    /** The header of a data page, whose length depends on its numbers. */
    static byte[] header(Body body) {
        return new ThriftWriter()
                .element()
                .i32(1, PageType.DATA)
                .i32(2, body.bytes())
                .i32(3, body.stored())
                .struct(5)
                .i32(1, body.values())
                .i32(2, Encoding.PLAIN.number())
                .i32(3, Encoding.RLE.number())
                .i32(4, Encoding.RLE.number())
                .end()
                .end()
                .toBytes();
    }
}

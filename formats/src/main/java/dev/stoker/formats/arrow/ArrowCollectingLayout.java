package dev.stoker.formats.arrow;

import dev.stoker.format.CollectedSamples;
import dev.stoker.format.CollectingLayout;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * An Arrow file whose record batches lie anywhere: the footer says where, so what is between them does not matter. No
 * batch is so large that its offsets need 64 bits.
 */
final class ArrowCollectingLayout implements CollectingLayout {
    private final List<ArrowField> columns = new ArrayList<>();
    private final String metadata;
    private final byte[] head;

    ArrowCollectingLayout(Schema schema) {
        for (Field field : schema.fields()) {
            columns.add(Fields.column(field.name(), field, false));
        }
        this.metadata = ColumnMetadata.write(schema, FormatOptions.NONE);
        this.head = Frame.head(columns, metadata);
    }

    @Override
    public long headBytes() {
        return head.length;
    }

    @Override
    public boolean canReorder() {
        return false;
    }

    @Override
    public void fill(Samples batch, RunWriter out) {
        var layout = new BatchLayout(batch.count(), null);
        var writers = new ArrayList<ColumnWriter>();
        for (int f = 0; f < columns.size(); f++) {
            ColumnWriter writer = ColumnWriter.of(batch, f, false);
            writer.lay(0, batch.count(), layout);
            writers.add(writer);
        }
        out.put(Frame.batchHead(layout));
        for (ColumnWriter writer : writers) {
            writer.fill(0, batch.count(), new BodyWriter(out, null));
        }
    }

    @Override
    public void seal(CollectedSamples all, OutputFile file) {
        List<CollectedSamples.Block> blocks = all.blocks();
        byte[] footerHead = Frame.footerHead(columns, metadata, blocks.size());
        int footerBytes = Math.toIntExact(footerHead.length + (long) Frame.BLOCK_BYTES * blocks.size());
        byte[] tail = Frame.tail(footerBytes);
        long end = all.end();
        file.resize(end + Frame.PREFIX_BYTES + footerBytes + tail.length);
        end = write(file, end, Frame.endOfMessages());
        end = write(file, end, footerHead);
        try (var arena = Arena.ofConfined()) {
            MemorySegment list = arena.allocate((long) Frame.BLOCK_BYTES * blocks.size());
            MemorySegment prefix = arena.allocate(Frame.PREFIX_BYTES);
            for (int b = 0; b < blocks.size(); b++) {
                CollectedSamples.Block block = blocks.get(b);
                file.read(block.offset(), prefix);
                long metadataBytes = Frame.PREFIX_BYTES + (long) prefix.get(LittleEndian.U32, 4);
                long at = (long) Frame.BLOCK_BYTES * b;
                list.set(LittleEndian.U64, at, block.offset());
                list.set(LittleEndian.U64, at + 8, metadataBytes);
                list.set(LittleEndian.U64, at + 16, block.length() - metadataBytes);
            }
            file.write(end, list);
            write(file, end + list.byteSize(), tail);
        }
        write(file, head.length, new byte[Math.toIntExact(all.start() - head.length)]);
        file.sync();
        write(file, 0, head);
    }

    private static long write(OutputFile file, long offset, byte[] bytes) {
        file.write(offset, MemorySegment.ofArray(bytes));
        return offset + bytes.length;
    }
}

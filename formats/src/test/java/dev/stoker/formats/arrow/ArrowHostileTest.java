package dev.stoker.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.arrow.BatchCursor.Span;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small files that say they hold very much are refused, in little time and memory. */
class ArrowHostileTest {
    private static final Field FIELD = new Field("x", new FieldType.Bytes());
    private static final List<ArrowField> COLUMNS = List.of(Fields.column("x", FIELD, false));
    private static final String METADATA = ColumnMetadata.write(new Schema(List.of(FIELD)), FormatOptions.NONE);

    @TempDir
    Path folder;

    /** A compressed buffer of zeros: the length that it has decoded, and a frame of zstd in blocks of one byte. */
    private static byte[] zeros(long count) {
        var out = new ByteArrayOutputStream();
        byte[] head = new byte[8 + 4 + 1 + 4];
        ByteBuffer.wrap(head)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(count)
                .putInt(0xfd2fb528)
                .put((byte) 0xa0)
                .putInt((int) count);
        out.writeBytes(head);
        for (long left = count; left > 0; left -= 128 << 10) {
            long size = Math.min(left, 128 << 10);
            long header = size << 3 | 2 | (left == size ? 1 : 0);
            out.writeBytes(new byte[] {(byte) header, (byte) (header >> 8), (byte) (header >> 16), 0});
        }
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] batch(long rows, List<Span> buffers, boolean isCompressed, long bodyLength) {
        var to = new FlatBufferBuilder(1024);
        int compression = isCompressed
                ? BodyCompression.createBodyCompression(to, CompressionType.ZSTD, BodyCompressionMethod.BUFFER)
                : 0;
        RecordBatch.startNodesVector(to, 1);
        FieldNode.createFieldNode(to, rows, 0);
        int nodes = to.endVector();
        RecordBatch.startBuffersVector(to, buffers.size());
        for (Span buffer : buffers.reversed()) {
            Buffer.createBuffer(to, buffer.offset(), buffer.length());
        }
        int list = to.endVector();
        int batch = RecordBatch.createRecordBatch(to, rows, nodes, list, compression, 0);
        Message.finishMessageBuffer(
                to, Message.createMessage(to, MetadataVersion.V5, MessageHeader.RecordBatch, batch, bodyLength, 0));
        byte[] metadata = to.sizedByteArray();
        byte[] prefix = new byte[Frame.PREFIX_BYTES];
        ByteBuffer.wrap(prefix)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(ArrowMagic.CONTINUATION)
                .putInt(metadata.length);
        return joined(prefix, metadata);
    }

    /** A file of one record batch of one column. */
    private static byte[] file(long rows, List<Span> buffers, boolean isCompressed, byte[] body) {
        byte[] head = Frame.head(COLUMNS, METADATA);
        byte[] batch = batch(rows, buffers, isCompressed, body.length);
        byte[] footer = Frame.footerHead(COLUMNS, METADATA, 1);
        byte[] block = new byte[Frame.BLOCK_BYTES];
        ByteBuffer.wrap(block)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(head.length)
                .putLong(batch.length)
                .putLong(body.length);
        return joined(head, batch, body, footer, block, Frame.tail(footer.length + block.length));
    }

    /** A batch of buffers one behind the other. */
    private static byte[] compressed(long rows, byte[]... buffers) {
        var spans = new ArrayList<Span>();
        long at = 0;
        for (byte[] buffer : buffers) {
            spans.add(new Span(at, buffer.length));
            at += buffer.length;
        }
        return file(rows, spans, true, joined(buffers));
    }

    private String cheaplyRefused(byte[] file) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        String refusal = Damaged.refusal(folder, file);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(256 << 20);
        return refusal;
    }

    /** Sixty times the same 4 KB, which are decoded to 128 MB. */
    @Test
    void buffersThatLieOnEachOtherAreRefused() {
        byte[] zeros = zeros(128 << 20);
        byte[] file = file(1, Collections.nCopies(60, new Span(0, zeros.length)), true, zeros);
        assertThat(file.length).isLessThan(10_000);
        assertThat(cheaplyRefused(file))
                .contains("its buffers overlap: they should have at most the body's " + zeros.length
                        + " bytes together, but the first 2 of 60 have " + 2 * zeros.length);
    }

    /** The same without compression: offsets would be read once for each column. */
    @Test
    void storedBuffersThatLieOnEachOtherAreRefused() {
        List<Span> buffers = List.of(new Span(0, 0), new Span(0, 8), new Span(0, 8));
        assertThat(Damaged.refusal(folder, file(1, buffers, false, new byte[8])))
                .contains("its buffers overlap");
        assertThat(Damaged.refusal(
                        folder, file(1, List.of(new Span(0, 0), new Span(0, 8), new Span(8, 8)), false, new byte[16])))
                .isEmpty();
    }

    @Test
    void bytesAreCountedBeforeTheyAreDecoded() {
        assertThat(cheaplyRefused(compressed(1, new byte[0], zeros(8), zeros(300 << 20))))
                .contains("say that they have far more bytes than a file of");
        assertThat(Damaged.refusal(folder, compressed(1, new byte[0], zeros(8), zeros(200 << 20))))
                .isEmpty();
    }

    /** Offsets that are all zero: thirty million empty values, each with a place in the Index. */
    @Test
    void valuesAreCountedBeforeTheyAreTold() {
        int rows = 30_000_000;
        assertThat(cheaplyRefused(compressed(rows, new byte[0], zeros(4L * (rows + 1)), new byte[0])))
                .contains("with its 30000000 rows of 1 columns there are far more values than a file of");
        assertThat(Damaged.refusal(folder, compressed(1000, new byte[0], zeros(4004), new byte[0])))
                .isEmpty();
    }
}

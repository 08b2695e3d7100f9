package dev.stoker.formats.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.stoker.format.CompressedBlocks;
import dev.stoker.io.LittleEndian;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/** The parts of one record batch in the order in which its body holds them. */
final class BatchLayout {
    /** Every buffer begins at a multiple of this, in the body and in the file. */
    static final int ALIGNMENT = 64;

    private final long rows;
    private final @Nullable CompressedBlocks blocks;
    private long[] nodes = new long[16];
    private int nodeCount;
    /** Offset and length of each buffer, by turns. */
    private long[] buffers = new long[64];

    private int bufferCount;
    private long bodyLength;

    /** @param blocks the compressed values; null in a file without compression */
    BatchLayout(long rows, @Nullable CompressedBlocks blocks) {
        this.rows = rows;
        this.blocks = blocks;
    }

    /** A column or a child of one, with an empty validity bitmap: none of its values is null. */
    void node(long values) {
        if (nodeCount == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * nodeCount);
        }
        nodes[nodeCount++] = values;
        buffer(0);
    }

    /** A buffer that is stored as it is. */
    void buffer(long length) {
        add(blocks == null || length == 0 ? length : BodyWriter.PREFIX_BYTES + length);
    }

    /** The values of a field, from a sample on. */
    void values(long first, int field, long length) {
        if (blocks == null || length == 0 || !blocks.cut().fields().contains(field)) {
            buffer(length);
        } else {
            add(BodyWriter.PREFIX_BYTES
                    + blocks.stored(blocks.cut().block(blocks.cut().groupAt(first), field)));
        }
    }

    private void add(long length) {
        if (2 * bufferCount == buffers.length) {
            buffers = Arrays.copyOf(buffers, 4 * bufferCount);
        }
        buffers[2 * bufferCount] = bodyLength;
        buffers[2 * bufferCount + 1] = length;
        bufferCount++;
        bodyLength = LittleEndian.align(Math.addExact(bodyLength, length), ALIGNMENT);
    }

    long bodyLength() {
        return bodyLength;
    }

    private static byte codec(String name) {
        return name.equals("zstd") ? CompressionType.ZSTD : CompressionType.LZ4_FRAME;
    }

    /** The metadata's FlatBuffer; its length depends on the numbers of nodes and buffers alone. */
    ByteBuffer metadata() {
        var to = new FlatBufferBuilder(256 + 16 * (nodeCount + bufferCount));
        to.forceDefaults(true);
        RecordBatch.startNodesVector(to, nodeCount);
        for (int i = nodeCount - 1; i >= 0; i--) {
            FieldNode.createFieldNode(to, nodes[i], 0);
        }
        int nodeVector = to.endVector();
        RecordBatch.startBuffersVector(to, bufferCount);
        for (int i = bufferCount - 1; i >= 0; i--) {
            Buffer.createBuffer(to, buffers[2 * i], buffers[2 * i + 1]);
        }
        int bufferVector = to.endVector();
        int compression = blocks == null
                ? 0
                : BodyCompression.createBodyCompression(to, codec(blocks.cut().codec()), BodyCompressionMethod.BUFFER);
        RecordBatch.startRecordBatch(to);
        RecordBatch.addLength(to, rows);
        RecordBatch.addNodes(to, nodeVector);
        RecordBatch.addBuffers(to, bufferVector);
        if (compression != 0) {
            RecordBatch.addCompression(to, compression);
        }
        int batch = RecordBatch.endRecordBatch(to);
        Message.startMessage(to);
        Message.addBodyLength(to, bodyLength);
        Message.addHeader(to, batch);
        Message.addVersion(to, MetadataVersion.V5);
        Message.addHeaderType(to, MessageHeader.RecordBatch);
        Message.finishMessageBuffer(to, Message.endMessage(to));
        return to.dataBuffer();
    }
}

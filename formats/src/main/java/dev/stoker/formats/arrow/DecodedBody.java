package dev.stoker.formats.arrow;

import dev.stoker.block.BlockTable;
import dev.stoker.block.CodecPipeline;
import dev.stoker.formats.arrow.BatchCursor.Span;
import dev.stoker.index.BlockRows;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.CompressionType;

/**
 * The body of a compressed batch, decoded: buffer after buffer. Each is a block, and they follow each other among the
 * decoded bytes as they do here. A buffer begins with its decoded length, 8 bytes; -1 says that it is stored as it is.
 */
final class DecodedBody {
    private static final int PREFIX = 8;
    private static final long AS_IT_IS = -1;

    private final BatchCursor batch;
    private final CodecPipeline pipeline;
    private final BlockRows blocks;
    private final long address;
    private final List<Span> spans = new ArrayList<>();
    private final GrowingBuffer bytes;

    /** @param bytes where the decoded buffers go; those of the batch before are overwritten */
    DecodedBody(BatchCursor batch, BodyCompression compression, BlockRows blocks, GrowingBuffer bytes) {
        this.batch = batch;
        this.bytes = bytes;
        bytes.clear();
        this.blocks = blocks;
        this.address = blocks.decodedBytes();
        if (compression.method() != BodyCompressionMethod.BUFFER) {
            throw batch.corrupt("it is compressed by an unknown method, " + compression.method());
        }
        this.pipeline = switch (compression.codec()) {
            case CompressionType.ZSTD -> CodecPipeline.of("zstd");
            case CompressionType.LZ4_FRAME -> CodecPipeline.of("lz4-frame");
            default -> throw batch.corrupt("it is compressed with an unknown codec, " + compression.codec());
        };
    }

    void add(MemorySegment container, Span stored) {
        if (stored.length() == 0) {
            spans.add(new Span(bytes.size(), 0));
            return;
        }
        if (stored.length() < PREFIX) {
            throw batch.corrupt("a compressed buffer has only " + stored.length() + " bytes");
        }
        long said = container.get(LittleEndian.U64, stored.offset());
        long from = stored.offset() + PREFIX;
        long length = stored.length() - PREFIX;
        CodecPipeline steps = said == AS_IT_IS ? CodecPipeline.NONE : pipeline;
        long decoded = said == AS_IT_IS ? length : said;
        if (decoded < 0 || decoded > BlockTable.MAX_BLOCK_BYTES) {
            throw batch.corrupt("a compressed buffer claims " + decoded + " bytes, of which Stoker decodes at"
                    + " most " + BlockTable.MAX_BLOCK_BYTES + " at once");
        }
        batch.requireDecodable(decoded);
        try {
            spans.add(new Span(bytes.size(), decoded));
            bytes.add(steps.decode(container.asSlice(from, length), decoded));
        } catch (IOException e) {
            throw batch.corrupt("a buffer at byte " + stored.offset() + " (" + steps + "): " + e.getMessage());
        }
        blocks.add(0, from, length, decoded, steps);
    }

    Span span(int buffer) {
        return spans.get(buffer);
    }

    MemorySegment bytes() {
        return bytes.bytes();
    }

    /** Where the first buffer lies among the decoded bytes of the file. */
    long address() {
        return address;
    }
}

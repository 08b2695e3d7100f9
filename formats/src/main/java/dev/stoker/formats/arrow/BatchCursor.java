package dev.stoker.formats.arrow;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.block.BlockTable;
import dev.stoker.block.CodecPipeline;
import dev.stoker.formats.shared.limit.Budget;
import dev.stoker.index.BlockRows;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the nodes and buffers of one record batch after another; each column takes its own. Whatever comes out
 * lies inside the batch's body, and is as long as was asked for.
 */
final class BatchCursor implements AutoCloseable {
    /**
     * What a batch may unfold into in memory, and how many values a file may have, however small it is, and for each of
     * its bytes: a few of them can stand for very many that are all the same.
     */
    private static final long DECODED = 1 << 30;

    private static final long DECODED_PER_BYTE = 1024;
    private static final long VALUES = 16 << 20;
    private static final long VALUES_PER_BYTE = 1024;

    private final String file;
    private final MemorySegment container;
    /** The blocks of a file that has compressed batches; null if it has none. */
    private final @Nullable BlockRows blocks;

    /** What spans count in: the file, or the decoded body of a compressed batch. */
    private MemorySegment bytes;

    private final GrowingBuffer decodedBytes = new GrowingBuffer();
    /** Bytes that the batch may still be decoded to. */
    private Budget decodable;
    /** Values that may still be told of. */
    private final Budget values;

    private @Nullable DecodedBody decoded;
    private long shift;
    private final FieldNode node = new FieldNode();
    private final Buffer buffer = new Buffer();

    private RecordBatch batch = new RecordBatch();
    private boolean isV4;
    private long offset;
    private long body;
    private long bodyLength;
    private int nodes;
    private int nextNode;
    private int buffers;
    private int nextBuffer;
    private int nextVariadic;

    /** A column or a child of one: how many values it has, and how many of these are null. */
    record Node(long rows, long nulls) {}

    /** A run of bytes of the batch. */
    record Span(long offset, long length) {}

    /** Which values of a node are null; a bitmap, or nothing if none is. */
    record Validity(MemorySegment bytes, long offset, boolean hasNulls) {
        boolean isNull(long row) {
            return hasNulls && (bytes.get(ValueLayout.JAVA_BYTE, offset + (row >> 3)) >> (row & 7) & 1) == 0;
        }
    }

    /** Says that a batch is compressed in a file that was taken for one without compression. */
    @SuppressWarnings("serial")
    static final class CompressedException extends RuntimeException {
        CompressedException() {
            super(null, null, false, false);
        }
    }

    BatchCursor(String file, MemorySegment container, @Nullable BlockRows blocks) {
        this.file = file;
        this.container = container;
        this.blocks = blocks;
        this.bytes = container;
        this.decodable = decodable();
        this.values = new Budget(VALUES, () -> VALUES_PER_BYTE * container.byteSize());
    }

    /** Goes to a batch whose metadata begins at {@code offset} and whose body lies inside the file. */
    void begin(RecordBatch newBatch, boolean newIsV4, long newOffset, Span newBody) {
        batch = newBatch;
        isV4 = newIsV4;
        offset = newOffset;
        body = newBody.offset;
        bodyLength = newBody.length;
        nodes = batch.nodesLength();
        buffers = batch.buffersLength();
        nextNode = 0;
        nextBuffer = 0;
        nextVariadic = 0;
        if (batch.length() < 0) {
            throw corrupt("it claims " + batch.length() + " rows");
        }
        requireDisjointBuffers();
        decodable = decodable();
        BodyCompression compression = batch.compression();
        decoded = null;
        bytes = container;
        shift = 0;
        if (compression != null) {
            decode(compression);
        } else if (blocks != null) {
            shift = blocks.add(0, body, bodyLength, bodyLength, CodecPipeline.NONE) - body;
        }
    }

    /** Writers put buffers one behind the other; those that lie on each other would be read as often as they are listed. */
    private void requireDisjointBuffers() {
        long together = 0;
        for (int i = 0; i < buffers; i++) {
            together += storedBuffer(i).length;
            if (together > bodyLength) {
                throw corrupt("its buffers overlap: they should have at most the body's " + bodyLength
                        + " bytes together, but the first " + (i + 1) + " of " + buffers + " have " + together);
            }
        }
    }

    private Budget decodable() {
        return new Budget(DECODED, () -> DECODED_PER_BYTE * container.byteSize());
    }

    /** Counts bytes that a buffer says it is decoded to, before it gets memory for them. */
    void requireDecodable(long count) {
        if (!BlockTable.isBelieved(count, container.byteSize()) || !decodable.take(count)) {
            throw corrupt("its buffers say that they have far more bytes than a file of " + container.byteSize()
                    + " bytes holds");
        }
    }

    /** Counts the values of some columns, one in each row. */
    void requireValues(int columns) {
        if (!values.take(Math.multiplyExact(batch.length(), columns))) {
            throw corrupt("with its " + batch.length() + " rows of " + columns
                    + " columns there are far more values than a file of " + container.byteSize() + " bytes holds");
        }
    }

    /** Decodes all buffers, and lets spans count in what comes out. */
    private void decode(BodyCompression compression) {
        if (blocks == null) {
            throw new CompressedException();
        }
        var buffersOfBatch = new DecodedBody(this, compression, blocks, decodedBytes);
        for (int i = 0; i < buffers; i++) {
            buffersOfBatch.add(container, storedBuffer(i));
        }
        decoded = buffersOfBatch;
        bytes = buffersOfBatch.bytes();
        shift = buffersOfBatch.address();
    }

    /** Where a place of the batch lies: in the file, or among the decoded bytes of a file that has compressed batches. */
    long address(long place) {
        return place + shift;
    }

    long rows() {
        return batch.length();
    }

    /** The node of a column, which has as many values as the batch has rows. */
    Node column() {
        Node column = node();
        if (column.rows != batch.length()) {
            throw corrupt("a column has " + column.rows + " values but the batch has " + batch.length() + " rows");
        }
        return column;
    }

    Node node() {
        if (nextNode >= nodes) {
            throw corrupt("its columns have more parts than the " + nodes + " that are listed");
        }
        batch.nodes(node, nextNode++);
        long rows = node.length();
        long nulls = node.nullCount();
        if (rows < 0 || nulls < 0 || nulls > rows) {
            throw corrupt("a column has " + rows + " values of which " + nulls + " are null");
        }
        return new Node(rows, nulls);
    }

    Span buffer() {
        if (nextBuffer >= buffers) {
            throw corrupt("its columns have more buffers than the " + buffers + " that are listed");
        }
        int number = nextBuffer++;
        return decoded == null ? storedBuffer(number) : decoded.span(number);
    }

    private Span storedBuffer(int number) {
        batch.buffers(buffer, number);
        long start = buffer.offset();
        long length = buffer.length();
        if (start < 0 || length < 0 || length > bodyLength || start > bodyLength - length) {
            throw corrupt("a buffer of " + length + " bytes at byte " + start + " should lie inside the body's "
                    + bodyLength + " bytes");
        }
        return new Span(body + start, length);
    }

    /** A buffer for values of a width. */
    Span buffer(long values, long width) {
        Span span = buffer();
        if (width > 0 && span.length / width < values) {
            throw corrupt(
                    "a buffer of " + values + " values of " + width + " bytes has only " + span.length + " bytes");
        }
        return span;
    }

    Span bits(long values) {
        Span span = buffer();
        if (values > 8 * span.length) {
            throw corrupt("a buffer of " + values + " bits has only " + span.length + " bytes");
        }
        return span;
    }

    /** The validity bitmap, a node's first buffer. */
    Validity validity(Node of) {
        if (of.nulls == 0) {
            buffer();
            return new Validity(bytes, 0, false);
        }
        return new Validity(bytes, bits(of.rows).offset, true);
    }

    /** The validity bitmap of a node that must not have nulls. */
    void noNulls(Node of, String column) {
        if (validity(of).hasNulls()) {
            throw nulls(column);
        }
    }

    /** The refusal of a column whose nulls would have to become some number. */
    StokerException nulls(String column) {
        return new StokerException(
                file,
                "column '" + column + "' has nulls (record batch at byte " + offset
                        + "), which its type cannot express in Stoker; fill them, for example with"
                        + " pyarrow.compute.fill_null, or leave the column out");
    }

    /** Where the values of a list or of text begin and end. */
    Offsets offsets(Node of, boolean large) {
        if (of.rows == 0) {
            // Writers may leave out the one offset that such a column should have.
            return new Offsets(this, buffer().offset, large);
        }
        int width = large ? 8 : 4;
        return new Offsets(this, buffer(Math.addExact(of.rows, 1), width).offset, large);
    }

    /** Offsets of 32 or 64 bits. */
    record Offsets(BatchCursor batch, long base, boolean large) {
        /** The first offset of a column that has rows. */
        long first(long limit) {
            return checked(0, 0, limit);
        }

        /** Where a value ends that begins at {@code start}, inside {@code limit}. */
        long end(long row, long start, long limit) {
            return checked(row + 1, start, limit);
        }

        private long checked(long place, long least, long limit) {
            long found = large
                    ? batch.bytes.get(LittleEndian.U64, base + 8 * place)
                    : batch.bytes.get(LittleEndian.U32, base + 4 * place);
            if (found < least || found > limit) {
                throw batch.corrupt("offset " + place + " of a column should lie between " + least + " and " + limit
                        + " but is " + found);
            }
            return found;
        }
    }

    /** How many data buffers the next column of views has. */
    long variadicBuffers() {
        if (nextVariadic >= batch.variadicBufferCountsLength()) {
            throw corrupt("a column of views does not say how many buffers it has");
        }
        return batch.variadicBufferCounts(nextVariadic++);
    }

    /** Passes over a column that is not read. */
    void skip(ArrowField field) {
        node();
        if (field.dictionary() != null) {
            skipBuffers(2);
            return;
        }
        skipBuffers(field.type().buffers());
        if (isV4 && field.type() instanceof ArrowType.Other other && other.validityInV4()) {
            skipBuffers(1);
        }
        if (field.type() instanceof ArrowType.View) {
            skipBuffers(variadicBuffers());
        }
        field.children().forEach(this::skip);
    }

    private void skipBuffers(long count) {
        for (long i = 0; i < count; i++) {
            buffer();
        }
    }

    /** What spans count in. */
    MemorySegment bytes() {
        return bytes;
    }

    /** Bytes that were there to be read so far: the file, and what its compressed batches were decoded to. */
    long readable() {
        return container.byteSize() + (blocks == null ? 0 : blocks.decodedBytes());
    }

    @Override
    public void close() {
        decodedBytes.close();
    }

    CorruptContainerException corrupt(String reason) {
        return new CorruptContainerException(file, offset, "record batch: " + reason + "; the file is damaged");
    }
}

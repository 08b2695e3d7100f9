package dev.stoker.formats.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.stoker.io.LittleEndian;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;

/** What a file has beside its record batches. */
final class Frame {
    /** Bytes before the metadata of every message: the continuation mark and a length. */
    static final int PREFIX_BYTES = 8;
    /** Bytes of the footer's entry for a record batch: i64 offset, i32 metadata, 4 of padding, i64 body. */
    static final int BLOCK_BYTES = 24;

    private static final int MAGIC_BYTES = 8;
    /** Room for a few columns; the builder grows. */
    private static final int INITIAL_BYTES = 1024;

    private Frame() {}

    /** The file's first bytes, up to the first record batch. */
    static byte[] head(List<ArrowField> columns, String stokerMetadata) {
        var to = new FlatBufferBuilder(INITIAL_BYTES);
        int schema = new SchemaWriter(to).write(columns, stokerMetadata);
        Message.finishMessageBuffer(
                to, Message.createMessage(to, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0));
        ByteBuffer metadata = to.dataBuffer();
        int end = (int) LittleEndian.align(MAGIC_BYTES + PREFIX_BYTES + metadata.remaining(), BatchLayout.ALIGNMENT);
        var head = new byte[end];
        littleEndian(head)
                .put(ArrowMagic.ARROW1)
                .position(MAGIC_BYTES)
                .putInt(ArrowMagic.CONTINUATION)
                .putInt(end - MAGIC_BYTES - PREFIX_BYTES)
                .put(metadata);
        return head;
    }

    /** A record batch from its first byte to its body. */
    static byte[] batchHead(BatchLayout layout) {
        ByteBuffer metadata = layout.metadata();
        int end = (int) LittleEndian.align(PREFIX_BYTES + metadata.remaining(), BatchLayout.ALIGNMENT);
        var head = new byte[end];
        littleEndian(head)
                .putInt(ArrowMagic.CONTINUATION)
                .putInt(end - PREFIX_BYTES)
                .put(metadata);
        return head;
    }

    /** Says that no message follows. */
    static byte[] endOfMessages() {
        var mark = new byte[PREFIX_BYTES];
        littleEndian(mark).putInt(ArrowMagic.CONTINUATION);
        return mark;
    }

    /**
     * The footer up to its list of record batches, which makes up the rest of it: so it can be written piece by piece,
     * however many there are.
     */
    static byte[] footerHead(List<ArrowField> columns, String stokerMetadata, int batches) {
        var to = new FlatBufferBuilder(INITIAL_BYTES);
        // What a FlatBuffer is given first comes last: an empty list, its length patched below.
        Footer.startRecordBatchesVector(to, 0);
        int batchVector = to.endVector();
        Footer.startDictionariesVector(to, 0);
        int dictionaryVector = to.endVector();
        int schema = new SchemaWriter(to).write(columns, stokerMetadata);
        Footer.finishFooterBuffer(
                to, Footer.createFooter(to, MetadataVersion.V5, schema, dictionaryVector, batchVector, 0));
        byte[] head = to.sizedByteArray();
        littleEndian(head).putInt(head.length - 4, batches);
        return head;
    }

    /** The file's last bytes. */
    static byte[] tail(int footerBytes) {
        var tail = new byte[4 + ArrowMagic.ARROW1.length];
        littleEndian(tail).putInt(footerBytes).put(ArrowMagic.ARROW1);
        return tail;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}

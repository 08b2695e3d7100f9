package dev.stoker.formats.arrow;

import dev.stoker.CorruptContainerException;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages of a file are: its footer lists them. A stream has none; there they follow each other.
 *
 * @param schemaBytes how long the metadata is that the schema is in
 * @param end where the last message ends at the latest
 */
record ArrowContents(Schema schema, long schemaBytes, List<Place> dictionaries, List<Place> batches, long end) {
    /** A message: where it begins, and bytes of its metadata with what is before it. */
    record Place(long offset, long metadataBytes) {}

    static ArrowContents ofFooter(Footer footer, long footerOffset, long footerBytes) {
        Schema schema = footer.schema();
        if (schema == null) {
            throw new IllegalArgumentException("the footer has no schema");
        }
        var dictionaries = new ArrayList<Place>();
        for (int i = 0; i < footer.dictionariesLength(); i++) {
            dictionaries.add(place(footer.dictionaries(i)));
        }
        var batches = new ArrayList<Place>();
        for (int i = 0; i < footer.recordBatchesLength(); i++) {
            batches.add(place(footer.recordBatches(i)));
        }
        return new ArrowContents(schema, footerBytes, dictionaries, batches, footerOffset);
    }

    private static Place place(Block block) {
        return new Place(block.offset(), block.metaDataLength());
    }

    /** Goes through a stream, up to its mark of the end or the end of the file. */
    static ArrowContents ofStream(String file, MemorySegment bytes) {
        long size = bytes.byteSize();
        Schema schema = null;
        long schemaBytes = 0;
        var dictionaries = new ArrayList<Place>();
        var batches = new ArrayList<Place>();
        var message = new Message();
        for (long at = 0; at < size; ) {
            long length = length(file, bytes, at);
            if (length == 0) {
                break;
            }
            long metadata = Frame.PREFIX_BYTES + length;
            Message.getRootAsMessage(
                    bytes.asSlice(at + Frame.PREFIX_BYTES, length).asByteBuffer(), message);
            long body = message.bodyLength();
            if (body < 0 || body > size - at - metadata) {
                throw truncated(file, at, "a body of " + body + " bytes");
            }
            switch (message.headerType()) {
                case MessageHeader.Schema -> {
                    schema = first(file, at, schema, message);
                    schemaBytes = metadata;
                }
                case MessageHeader.DictionaryBatch -> dictionaries.add(new Place(at, metadata));
                case MessageHeader.RecordBatch -> batches.add(new Place(at, metadata));
                default ->
                    throw new CorruptContainerException(
                            file, at, "a stream has no messages of type " + message.headerType() + "; it is damaged");
            }
            at += metadata + body;
        }
        if (schema == null) {
            throw new CorruptContainerException(file, 0, "the stream has no schema; it is damaged");
        }
        return new ArrowContents(schema, schemaBytes, dictionaries, batches, size);
    }

    /** The length of a message's metadata; 0 marks the end of the stream. */
    private static long length(String file, MemorySegment bytes, long at) {
        long left = bytes.byteSize() - at - Frame.PREFIX_BYTES;
        if (left < 0 || bytes.get(LittleEndian.U32, at) != ArrowMagic.CONTINUATION) {
            throw truncated(file, at, "a message that begins with ff ff ff ff");
        }
        long length = bytes.get(LittleEndian.U32, at + 4);
        if (length < 0 || length > left) {
            throw truncated(file, at, "metadata of " + length + " bytes");
        }
        return length;
    }

    private static CorruptContainerException truncated(String file, long at, String expected) {
        return new CorruptContainerException(
                file,
                at,
                "the Arrow stream should have " + expected + " here; it is truncated, or its writer was not closed");
    }

    private static Schema first(String file, long at, @Nullable Schema before, Message message) {
        var schema = (Schema) message.header(new Schema());
        if (before != null || schema == null) {
            throw new CorruptContainerException(file, at, "a stream should have one schema; it is damaged");
        }
        return schema;
    }
}

package dev.stoker.formats.arrow;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.formats.arrow.BatchCursor.Span;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.formats.shared.table.TableColumns;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Omissions;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Derives the Index of an Arrow file from its footer, or of a stream from its messages, and the metadata of its record
 * batches.
 *
 * <p>The generated classes of FlatBuffers check nothing, but they read from buffers that do: whatever their offsets
 * say, a read outside the metadata throws, and is reported as damage.
 */
final class ArrowReader {
    private static final int SMALLEST_FILE = 2 * ArrowMagic.ARROW1.length + 4;

    private final String file;
    private final MemorySegment bytes;
    /** Whether some batch is compressed, so that values lie in blocks. */
    private final boolean isCompressed;

    /** The fields whose values are copied to the Index. */
    private final BitSet copied;
    /** Takes those that have to be, and are not. */
    private final BitSet toCopy;

    private final Map<Long, Dictionary> dictionaries = new HashMap<>();
    private final Message message = new Message();
    /** What is being read, for messages. */
    private long place;

    private long end;
    private long bytesOfMessages;
    private long rows;

    private ArrowReader(MappedFile file, boolean isCompressed, BitSet copied, BitSet toCopy) {
        this.file = file.path().toString();
        this.bytes = file.bytes();
        this.isCompressed = isCompressed;
        this.copied = copied;
        this.toCopy = toCopy;
    }

    /** Read once to find the fields whose values are not all in the file as they should be read, and if there are any, again. */
    static IndexBuilder derive(MappedFile file) {
        var toCopy = new BitSet();
        IndexBuilder builder = derive(file, new BitSet(), toCopy);
        if (toCopy.isEmpty()) {
            return builder;
        }
        builder.close();
        return derive(file, toCopy, new BitSet());
    }

    private static IndexBuilder derive(MappedFile file, BitSet copied, BitSet toCopy) {
        try {
            return new ArrowReader(file, false, copied, toCopy).derive();
        } catch (BatchCursor.CompressedException e) {
            return new ArrowReader(file, true, copied, toCopy).derive();
        }
    }

    private IndexBuilder derive() {
        try {
            return read(ArrowMagic.isStream(bytes) ? ArrowContents.ofStream(file, bytes) : footer());
        } catch (IndexOutOfBoundsException | IllegalArgumentException | ArithmeticException e) {
            var failure = new CorruptContainerException(
                    file, place, "the metadata cannot be read (" + e.getMessage() + "); the file is damaged");
            failure.initCause(e);
            throw failure;
        } finally {
            dictionaries.values().forEach(Dictionary::close);
        }
    }

    private ArrowContents footer() {
        refuseOthers();
        long size = bytes.byteSize();
        long lengthAt = size - ArrowMagic.ARROW1.length - 4;
        if (size < SMALLEST_FILE || !ArrowMagic.isAt(ArrowMagic.ARROW1, bytes, lengthAt + 4)) {
            throw new CorruptContainerException(
                    file, size, "the file should end with ARROW1; it is truncated, or its writer was not closed");
        }
        long length = bytes.get(LittleEndian.U32, lengthAt);
        long most = lengthAt - ArrowMagic.ARROW1.length;
        if (length <= 0 || length > most) {
            throw new CorruptContainerException(
                    file,
                    lengthAt,
                    "the footer's length should be at most " + most + " but is " + length
                            + "; the file is truncated or damaged");
        }
        place = lengthAt - length;
        Footer footer = Footer.getRootAsFooter(bytes.asSlice(place, length).asByteBuffer());
        return ArrowContents.ofFooter(footer, place, length);
    }

    /** The version of the message at hand; what the footer says of it is not to be relied on. */
    private boolean isV4() {
        short version = message.version();
        if (version < MetadataVersion.V4 || version > MetadataVersion.V5) {
            throw new StokerException(
                    file,
                    "has Arrow metadata of version V" + (version + 1)
                            + "; Stoker reads V4 and V5; write it again with a current Arrow library");
        }
        return version == MetadataVersion.V4;
    }

    private void refuseOthers() {
        if (ArrowMagic.isFeather1(bytes)) {
            throw new StokerException(
                    file,
                    "is Feather version 1, which Stoker does not read; write it again"
                            + " with pyarrow.feather.write_feather(table, path, version=2, compression='uncompressed')");
        }
        if (!ArrowMagic.isFile(bytes)) {
            throw new CorruptContainerException(file, 0, "an Arrow file should begin with ARROW1");
        }
    }

    private IndexBuilder read(ArrowContents contents) {
        end = contents.end();
        var reader = new SchemaReader(file, contents.schemaBytes());
        var omissions = new Omissions();
        var columns = new ColumnTree(reader.columns(contents.schema()), this::reader, copied, omissions);
        IndexBuilder builder = builder(columns, reader.stoker(contents.schema()), omissions);
        try (var cursor = new BatchCursor(file, bytes, isCompressed ? builder.blocks() : null)) {
            readDictionaries(contents, cursor);
            readBatches(contents, columns, cursor, builder);
            return builder;
        } catch (RuntimeException e) {
            builder.close();
            throw e;
        }
    }

    private @Nullable ColumnReader reader(ArrowField column) {
        try {
            return ColumnReader.of(column, dictionaries);
        } catch (StokerException e) {
            throw new CorruptContainerException(
                    file, place, "column '" + column.name() + "' of " + column.label() + ": " + e.getMessage());
        }
    }

    private IndexBuilder builder(ColumnTree columns, ColumnMetadata stoker, Omissions omissions) {
        try {
            return namedBuilder(columns, stoker, omissions);
        } catch (StokerException e) {
            throw new StokerException(file, "columns: " + e.getMessage(), e);
        }
    }

    private IndexBuilder namedBuilder(ColumnTree columns, ColumnMetadata stoker, Omissions omissions) {
        var fields = new ArrayList<Field>();
        var placements = new ArrayList<Placement>();
        for (ColumnTree.Leaf leaf : columns.leaves()) {
            // Types are given for people; those of the columns count.
            ColumnMetadata.Named named = stoker.ofColumn().get(leaf.name());
            fields.add(new Field(
                    named == null ? TableColumns.fieldName(leaf.name()) : named.name(),
                    leaf.reader().type()));
            placements.add(placement(leaf.reader()));
        }
        if (fields.isEmpty()) {
            throw new StokerException(
                    "there is none that Stoker reads" + (omissions.isEmpty() ? "" : "; " + omissions));
        }
        return new IndexBuilder(new Schema(fields, stoker.classes()), placements).omit(omissions);
    }

    private Placement placement(ColumnReader reader) {
        Placement found = reader.placement();
        return isCompressed && found.place() == Placement.Place.FILE ? Placement.blocks() : found;
    }

    private void readDictionaries(ArrowContents contents, BatchCursor cursor) {
        var batch = new DictionaryBatch();
        var data = new RecordBatch();
        for (ArrowContents.Place dictionaryAt : contents.dictionaries()) {
            Span body = message(dictionaryAt, MessageHeader.DictionaryBatch);
            if (message.header(batch) == null || batch.data(data) == null) {
                throw new IllegalArgumentException("a dictionary batch is empty");
            }
            cursor.begin(data, isV4(), place, body);
            cursor.requireValues(1);
            Dictionary dictionary = dictionaries.get(batch.id());
            if (dictionary != null && !dictionary.add(cursor, batch.isDelta())) {
                throw new StokerException(
                        file,
                        "dictionary " + batch.id()
                                + " is replaced by a later one, which the file format does not allow; write it again as a"
                                + " file, with pyarrow.ipc.new_file");
            }
        }
    }

    private void readBatches(ArrowContents contents, ColumnTree columns, BatchCursor cursor, IndexBuilder builder) {
        var sinks = new ArrayList<ValueSink>();
        for (int f = 0; f < builder.schema().size(); f++) {
            sinks.add(ValueSink.of(builder, f, toCopy));
        }
        var batch = new RecordBatch();
        for (ArrowContents.Place batchAt : contents.batches()) {
            Span body = message(batchAt, MessageHeader.RecordBatch);
            if (message.header(batch) == null) {
                throw new IllegalArgumentException("a record batch is empty");
            }
            cursor.begin(batch, isV4(), place, body);
            countRows(cursor);
            cursor.requireValues(sinks.size());
            columns.read(cursor, sinks);
        }
        for (int f = 0; f < builder.schema().size(); f++) {
            if (builder.schema().type(f).width() == 0) {
                builder.storedDense(f, rows);
            }
        }
    }

    /** Even a row of the narrowest type takes a bit; one that takes nothing must not be there without number. */
    private void countRows(BatchCursor cursor) {
        rows = Math.addExact(rows, cursor.rows());
        if (rows > 8 * cursor.readable()) {
            throw cursor.corrupt("there are " + rows + " rows in a file of " + bytes.byteSize() + " bytes");
        }
    }

    /** Reads a message, and returns where its body lies. */
    private Span message(ArrowContents.Place at, byte headerType) {
        long offset = at.offset();
        long length = at.metadataBytes();
        if (offset < 0 || length < Frame.PREFIX_BYTES || offset > end - length) {
            throw new CorruptContainerException(
                    file,
                    end,
                    "the footer lists " + length + " bytes of metadata at byte " + offset
                            + ", which should be before the footer; the file is damaged");
        }
        place = offset;
        // Before format 0.15 a message began with its length alone.
        int prefix = bytes.get(LittleEndian.U32, offset) == ArrowMagic.CONTINUATION ? Frame.PREFIX_BYTES : 4;
        Message.getRootAsMessage(bytes.asSlice(offset + prefix, length - prefix).asByteBuffer(), message);
        long bodyLength = message.bodyLength();
        long body = offset + length;
        if (message.headerType() != headerType || bodyLength < 0 || bodyLength > end - body) {
            throw new CorruptContainerException(
                    file,
                    offset,
                    "expected a " + MessageHeader.name(headerType) + " of at most " + (end - body)
                            + " bytes but found type " + message.headerType() + " of " + bodyLength
                            + " bytes; the file is damaged");
        }
        // Blocks that lie on each other would let a small file unfold into very many rows.
        bytesOfMessages = Math.addExact(bytesOfMessages, length + bodyLength);
        if (bytesOfMessages > bytes.byteSize()) {
            throw new CorruptContainerException(file, offset, "messages overlap; the file is damaged");
        }
        return new Span(body, bodyLength);
    }
}

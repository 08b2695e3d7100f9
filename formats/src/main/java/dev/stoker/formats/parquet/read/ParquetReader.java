package dev.stoker.formats.parquet.read;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.formats.parquet.read.FieldFinder.Found;
import dev.stoker.formats.parquet.read.Footer.Chunk;
import dev.stoker.formats.parquet.read.Footer.RowGroup;
import dev.stoker.formats.parquet.schema.Encoding;
import dev.stoker.formats.parquet.schema.ParquetMagic;
import dev.stoker.formats.parquet.thrift.ThriftReader;
import dev.stoker.formats.parquet.write.FooterWriter;
import dev.stoker.formats.shared.table.TableColumns;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Derives the Index of a Parquet file from its footer and pages. */
public final class ParquetReader {
    private static final byte[] ENCRYPTED = {'P', 'A', 'R', 'E'};
    /** The length of the footer and the magic, behind it. */
    private static final int TAIL_BYTES = 8;

    private final String file;
    private final MemorySegment bytes;
    private ParquetLimits limits;
    private long footerOffset;

    public ParquetReader(MappedFile file) {
        this.file = file.path().toString();
        this.bytes = file.bytes();
        this.limits = new ParquetLimits(bytes.byteSize());
    }

    public IndexBuilder derive() {
        try {
            return read(footer());
        } catch (IndexOutOfBoundsException | IllegalArgumentException | ArithmeticException e) {
            var failure = new CorruptContainerException(
                    file, footerOffset, "the file cannot be read (" + e.getMessage() + "); it is damaged");
            failure.initCause(e);
            throw failure;
        }
    }

    private Footer footer() {
        long size = bytes.byteSize();
        if (size < ParquetMagic.BYTES + TAIL_BYTES) {
            throw new CorruptContainerException(file, size, "the file is truncated");
        }
        byte[] last = bytes.asSlice(size - ENCRYPTED.length).toArray(ValueLayout.JAVA_BYTE);
        if (Arrays.equals(last, ENCRYPTED)) {
            throw new StokerException(file, "is encrypted, which Stoker does not read");
        }
        if (!Arrays.equals(last, ParquetMagic.bytes())) {
            throw new CorruptContainerException(
                    file, size, "the file should end with PAR1; it is truncated, or its writer was not closed");
        }
        long length = Integer.toUnsignedLong(bytes.get(LittleEndian.U32, size - TAIL_BYTES));
        long most = size - TAIL_BYTES - ParquetMagic.BYTES;
        if (length > most) {
            throw new CorruptContainerException(
                    file,
                    size - TAIL_BYTES,
                    "the footer's length should be at most " + most + " but is " + length
                            + "; the file is truncated or damaged");
        }
        footerOffset = size - TAIL_BYTES - length;
        return Footer.read(file, new ThriftReader(file, bytes, footerOffset, size - TAIL_BYTES));
    }

    private IndexBuilder read(Footer footer) {
        try {
            return read(footer, false);
        } catch (NullInPlaceException e) {
            limits = new ParquetLimits(bytes.byteSize());
            return read(footer, true);
        }
    }

    /** @param copiesTensors whether the tensors of columns that may have nulls are copied to the Index */
    private IndexBuilder read(Footer footer, boolean copiesTensors) {
        var finder = new FieldFinder(file, footer.root(), footer.metadata());
        checkGroups(footer, finder.leaves());
        List<Found> fields = finder.fields();
        if (fields.isEmpty()) {
            throw new StokerException(
                    file,
                    "columns: there is none that Stoker reads"
                            + (finder.omissions().isEmpty() ? "" : "; " + finder.omissions()));
        }
        var placements = new ArrayList<Placement>();
        for (Found found : fields) {
            placements.add(placement(found, footer, copiesTensors));
        }
        return new IndexBuilder(schema(fields, footer), placements)
                .omit(finder.omissions())
                .filledBy(builder -> {
                    for (int f = 0; f < fields.size(); f++) {
                        readField(footer, fields.get(f), f, placements.get(f).place(), builder);
                    }
                });
    }

    private void checkGroups(Footer footer, int leaves) {
        long rows = 0;
        for (RowGroup group : footer.groups()) {
            if (group.chunks().size() != leaves) {
                throw new CorruptContainerException(
                        file,
                        footerOffset,
                        "a row group should have " + leaves + " columns but has "
                                + group.chunks().size() + "; the file is damaged");
            }
            rows = Math.addExact(rows, group.rows());
        }
        // Some writers leave out how many there are together.
        if (footer.rows() != 0 && rows != footer.rows()) {
            throw new CorruptContainerException(
                    file,
                    footerOffset,
                    "the row groups should have " + footer.rows() + " rows but have " + rows + "; the file is damaged");
        }
    }

    private Schema schema(List<Found> fields, Footer footer) {
        try {
            return new Schema(
                    fields.stream().map(Found::field).toList(),
                    footer.metadata().classes());
        } catch (StokerException e) {
            throw new StokerException(file, "columns: " + e.getMessage(), e);
        }
    }

    /** Where the values of a field are read from, as the footer's lists of codecs and encodings allow. */
    private Placement placement(Found found, Footer footer, boolean copiesTensors) {
        FieldType type = found.field().type();
        Placement indexed = Placement.indexed(type.isFixed());
        boolean isCopied = copiesTensors
                && type instanceof FieldType.Tensor
                && found.values().present() > 0;
        if (isCopied || TableColumns.placement(type).place() == Placement.Place.INDEX) {
            return indexed;
        }
        boolean isCompressed = false;
        for (RowGroup group : footer.groups()) {
            Chunk chunk = group.chunks().get(found.values().number());
            isCompressed |= chunk.codec() != 0;
            if (chunk.encodings().contains(Encoding.DELTA_BYTE_ARRAY)
                    || chunk.encodings().contains(Encoding.BYTE_STREAM_SPLIT)) {
                return indexed;
            }
        }
        boolean isList = found.values().most() > 0;
        if (isList && (isCompressed || !footer.createdBy().startsWith(FooterWriter.CREATED_BY))) {
            // Other writers cut lists where a page is full, and put numbers into dictionaries.
            return indexed;
        }
        return isCompressed ? Placement.blocks() : Placement.stored();
    }

    private void readField(Footer footer, Found found, int number, Placement.Place use, IndexBuilder builder) {
        Field field = found.field();
        var chunks = new ChunkReader(file, bytes, footerOffset, limits, builder.blocks());
        try (var counts = new GrowingBuffer()) {
            var target =
                    new RowSink.Target(builder, number, field, use, limits, found.shapes() == null ? null : counts);
            try (RowSink sink = sink(target, found.values())) {
                RowSink shapes = found.shapes() == null
                        ? null
                        : new ShapesSink(target, found.shapes(), counts, (FieldType.Array) field.type());
                long rows = 0;
                for (RowGroup group : footer.groups()) {
                    chunks.read(group.chunks().get(found.values().number()), found.values(), use, sink);
                    rows += group.rows();
                    if (sink.rows() != rows) {
                        throw new CorruptContainerException(
                                file,
                                group.chunks().get(found.values().number()).start(),
                                "column '" + found.values().name() + "' should have " + rows
                                        + " rows up to here but has " + sink.rows() + "; the file is damaged");
                    }
                    if (shapes != null && found.shapes() != null) {
                        chunks.read(
                                group.chunks().get(found.shapes().number()),
                                found.shapes(),
                                Placement.Place.INDEX,
                                shapes);
                    }
                }
            }
        }
    }

    private static RowSink sink(RowSink.Target target, Leaf leaf) {
        return switch (target.field().type()) {
            case FieldType.Texts _ -> new TextsSink(target, leaf);
            case FieldType.Tensor tensor when leaf.most() > 0 -> new NumbersSink(target, leaf, tensor.dtype());
            case FieldType.Array array when leaf.most() > 0 -> new NumbersSink(target, leaf, array.dtype());
            default -> new FlatSink(target, leaf);
        };
    }
}

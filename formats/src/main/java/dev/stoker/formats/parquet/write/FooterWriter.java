package dev.stoker.formats.parquet.write;

import dev.stoker.StokerException;
import dev.stoker.formats.parquet.ParquetFormat;
import dev.stoker.formats.parquet.schema.Compression;
import dev.stoker.formats.parquet.schema.Encoding;
import dev.stoker.formats.parquet.schema.LogicalTypeCodec;
import dev.stoker.formats.parquet.schema.ParquetMagic;
import dev.stoker.formats.parquet.schema.PhysicalType;
import dev.stoker.formats.parquet.schema.SchemaNode;
import dev.stoker.formats.parquet.thrift.ThriftType;
import dev.stoker.formats.parquet.thrift.ThriftWriter;
import dev.stoker.formats.shared.table.ColumnMetadata;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes what stands behind the row groups: the indexes of their pages, and the footer. */
public final class FooterWriter {
    /** The version of the file's metadata; 2 tells that newer logical types are used. */
    private static final int VERSION = 2;

    /** More than the footer's entry for a chunk takes, beside its name. */
    private static final int CHUNK_BYTES = 160;

    /** How the name of the writer begins, in files of ours. */
    public static final String CREATED_BY = "stoker";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ThriftWriter to = new ThriftWriter();
    private final long start;
    private final List<List<ColumnChunk>> groups;
    private final long[] groupRows;

    /**
     * Begins behind the row groups.
     *
     * @param groups the chunks of each row group
     */
    FooterWriter(long start, List<List<ColumnChunk>> groups, long[] groupRows) {
        this.start = start;
        this.groups = groups;
        this.groupRows = groupRows;
    }

    byte[] write(List<SchemaNode> columns, String metadata, int leaves) {
        requireRoom();
        var indexPlaces = new long[2][groups.size() * leaves];
        for (int kind = 0; kind < 2; kind++) {
            for (int g = 0; g < groups.size(); g++) {
                for (int c = 0; c < leaves; c++) {
                    ColumnChunk chunk = groups.get(g).get(c);
                    byte[] index = kind == 0 ? chunk.columnIndex() : chunk.offsetIndex();
                    indexPlaces[kind][g * leaves + c] = start + out.size();
                    out.writeBytes(index);
                }
            }
        }
        long rows = 0;
        for (long inGroup : groupRows) {
            rows += inGroup;
        }
        to.element().i32(1, VERSION);
        schema(columns);
        to.i64(3, rows).list(4, ThriftType.STRUCT, groups.size());
        for (int g = 0; g < groups.size(); g++) {
            rowGroup(g, leaves, indexPlaces);
        }
        to.list(5, ThriftType.STRUCT, 1)
                .element()
                .text(1, ColumnMetadata.KEY)
                .text(2, metadata)
                .end();
        to.text(6, CREATED_BY + " version 1").list(7, ThriftType.STRUCT, leaves);
        for (int c = 0; c < leaves; c++) {
            to.element().empty(1).end();
        }
        byte[] footer = to.end().toBytes();
        out.writeBytes(footer);
        for (int shift = 0; shift < 32; shift += 8) {
            out.write(footer.length >> shift);
        }
        out.writeBytes(ParquetMagic.bytes());
        return out.toByteArray();
    }

    /** All of it is made in memory, and the footer's length has 32 bits. */
    private void requireRoom() {
        long bytes = 0;
        for (List<ColumnChunk> group : groups) {
            for (ColumnChunk chunk : group) {
                bytes += CHUNK_BYTES + chunk.columnIndex().length + chunk.offsetIndex().length;
                bytes +=
                        chunk.column().path().stream().mapToLong(String::length).sum();
            }
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new StokerException(groups.size() + " row groups need a footer of more than " + Integer.MAX_VALUE
                    + " bytes; give a larger --" + ParquetFormat.ROWS_PER_GROUP + ", or write several files");
        }
    }

    private void schema(List<SchemaNode> columns) {
        to.list(
                2,
                ThriftType.STRUCT,
                1 + columns.stream().mapToInt(FooterWriter::size).sum());
        to.element().text(4, "schema").i32(5, columns.size()).end();
        columns.forEach(this::node);
    }

    private static int size(SchemaNode node) {
        return 1 + node.children().stream().mapToInt(FooterWriter::size).sum();
    }

    private void node(SchemaNode node) {
        to.element();
        if (node.physical() != null) {
            to.i32(1, node.physical().ordinal());
        }
        if (node.physical() == PhysicalType.FIXED_LEN_BYTE_ARRAY) {
            to.i32(2, node.width());
        }
        to.i32(3, node.repetition().ordinal()).text(4, node.name());
        if (node.isGroup()) {
            to.i32(5, node.children().size());
        }
        LogicalTypeCodec.write(node.logical(), to);
        to.end();
        node.children().forEach(this::node);
    }

    private void rowGroup(int group, int leaves, long[][] indexPlaces) {
        List<ColumnChunk> chunks = groups.get(group);
        to.element().list(1, ThriftType.STRUCT, leaves);
        long bytes = 0;
        long decoded = 0;
        for (int c = 0; c < leaves; c++) {
            ColumnChunk chunk = chunks.get(c);
            bytes += chunk.bytes();
            decoded += chunk.decodedBytes();
            to.element().i64(2, 0);
            metadata(chunk);
            to.i64(4, indexPlaces[1][group * leaves + c]).i32(5, chunk.offsetIndex().length);
            if (chunk.columnIndex().length > 0) {
                to.i64(6, indexPlaces[0][group * leaves + c]).i32(7, chunk.columnIndex().length);
            }
            to.end();
        }
        to.i64(2, decoded)
                .i64(3, groupRows[group])
                .i64(5, chunks.getFirst().offset())
                .i64(6, bytes)
                .end();
    }

    private void metadata(ColumnChunk chunk) {
        LeafColumn column = chunk.column();
        to.struct(3).i32(1, column.physical().ordinal());
        to.list(2, ThriftType.I32, 2);
        to.number(Encoding.PLAIN.number());
        to.number(Encoding.RLE.number());
        to.list(3, ThriftType.BINARY, column.path().size());
        column.path().forEach(name -> to.binary(name.getBytes(StandardCharsets.UTF_8)));
        int codec = column.writer() instanceof PageWriter.Compressed compressed
                ? Compression.number(compressed.blocks().cut().codec())
                : 0;
        to.i32(4, codec)
                .i64(5, chunk.values())
                .i64(6, chunk.decodedBytes())
                .i64(7, chunk.bytes())
                .i64(9, chunk.offset());
        statistics(chunk.bounds());
        to.end();
    }

    private void statistics(@Nullable ColumnBounds bounds) {
        if (bounds != null) {
            to.struct(12)
                    .i64(3, 0)
                    .binary(5, bounds.most())
                    .binary(6, bounds.least())
                    .bool(7, true)
                    .bool(8, true)
                    .end();
        }
    }
}

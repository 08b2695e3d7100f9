package dev.stoker.formats.parquet.read;

import dev.stoker.StokerException;
import dev.stoker.formats.parquet.schema.Encoding;
import dev.stoker.formats.parquet.schema.SchemaNode;
import dev.stoker.formats.parquet.thrift.ThriftReader;
import dev.stoker.formats.parquet.thrift.ThriftType;
import dev.stoker.formats.shared.table.ColumnMetadata;
import java.util.ArrayList;
import java.util.List;

/**
 * What the footer tells, as far as Stoker needs it.
 *
 * @param createdBy the name of the software that wrote the file
 */
record Footer(SchemaNode root, long rows, List<RowGroup> groups, ColumnMetadata metadata, String createdBy) {
    /** A row group and the chunks of all columns in it. */
    record RowGroup(long rows, List<Chunk> chunks) {}

    /**
     * The pages of a column in a row group.
     *
     * @param encodings what its pages and levels may use, as far as Stoker knows them
     * @param start the first byte of its first page
     */
    record Chunk(int type, List<Encoding> encodings, int codec, long values, long bytes, long start) {}

    /** Reads the struct FileMetaData. */
    static Footer read(String file, ThriftReader from) {
        SchemaNode root = null;
        long rows = -1;
        var groups = new ArrayList<RowGroup>();
        ColumnMetadata metadata = ColumnMetadata.NONE;
        String createdBy = "";
        from.enter();
        for (int field = from.next(); field != 0; field = from.next()) {
            switch (field) {
                case 2 -> root = new SchemaParser(from).read();
                case 3 -> rows = from.i64();
                case 4 -> readGroups(file, from, groups);
                case 5 -> metadata = readMetadata(file, from);
                case 6 -> createdBy = from.text();
                case 8 -> throw new StokerException(file, "is encrypted, which Stoker does not read");
                default -> from.skip();
            }
        }
        from.leave();
        if (root == null || rows < 0) {
            throw from.corrupt("the footer has no schema or no number of rows");
        }
        return new Footer(root, rows, groups, metadata, createdBy);
    }

    private static void readGroups(String file, ThriftReader from, List<RowGroup> groups) {
        int count = from.list(ThriftType.STRUCT);
        for (int g = 0; g < count; g++) {
            long rows = -1;
            var chunks = new ArrayList<Chunk>();
            from.enter();
            for (int field = from.next(); field != 0; field = from.next()) {
                switch (field) {
                    case 1 -> {
                        int columns = from.list(ThriftType.STRUCT);
                        for (int c = 0; c < columns; c++) {
                            chunks.add(readChunk(file, from));
                        }
                    }
                    case 3 -> rows = from.i64();
                    default -> from.skip();
                }
            }
            from.leave();
            if (rows < 0) {
                throw from.corrupt("row group " + g + " should have a number of rows but has " + rows);
            }
            groups.add(new RowGroup(rows, chunks));
        }
    }

    private static Chunk readChunk(String file, ThriftReader from) {
        Chunk chunk = null;
        from.enter();
        for (int field = from.next(); field != 0; field = from.next()) {
            switch (field) {
                case 1 -> {
                    String other = from.text();
                    throw new StokerException(
                            file,
                            "has a column in another file, '" + other
                                    + "', which Stoker does not read; convert that file instead");
                }
                case 3 -> chunk = readColumn(from);
                case 8, 9 -> throw new StokerException(file, "has encrypted columns, which Stoker does not read");
                default -> from.skip();
            }
        }
        from.leave();
        if (chunk == null) {
            throw from.corrupt("a column of a row group has no metadata");
        }
        return chunk;
    }

    private static Chunk readColumn(ThriftReader from) {
        int type = -1;
        var encodings = new ArrayList<Encoding>();
        int codec = -1;
        long values = -1;
        long bytes = -1;
        long data = -1;
        long dictionary = 0;
        from.enter();
        for (int field = from.next(); field != 0; field = from.next()) {
            switch (field) {
                case 1 -> type = from.i32();
                case 2 -> readEncodings(from, encodings);
                case 4 -> codec = from.i32();
                case 5 -> values = from.i64();
                case 7 -> bytes = from.i64();
                case 9 -> data = from.i64();
                case 11 -> dictionary = from.i64();
                default -> from.skip();
            }
        }
        from.leave();
        if (type < 0 || codec < 0 || values < 0 || bytes < 0 || data < 0) {
            throw from.corrupt("a column should have a type, a codec, values, bytes and a place but has " + type + ", "
                    + codec + ", " + values + ", " + bytes + ", " + data);
        }
        // Some writers say 0 where there is no dictionary.
        long start = dictionary > 0 ? Math.min(dictionary, data) : data;
        return new Chunk(type, encodings, codec, values, bytes, start);
    }

    private static void readEncodings(ThriftReader from, List<Encoding> to) {
        int count = from.list(ThriftType.I32);
        for (int i = 0; i < count; i++) {
            Encoding encoding = Encoding.of(from.number());
            if (encoding != null && !to.contains(encoding)) {
                to.add(encoding);
            }
        }
    }

    private static ColumnMetadata readMetadata(String file, ThriftReader from) {
        ColumnMetadata metadata = ColumnMetadata.NONE;
        int count = from.list(ThriftType.STRUCT);
        for (int i = 0; i < count; i++) {
            String key = "";
            byte[] value = null;
            from.enter();
            for (int field = from.next(); field != 0; field = from.next()) {
                switch (field) {
                    case 1 -> key = from.text();
                    case 2 -> value = from.binary();
                    default -> from.skip();
                }
            }
            from.leave();
            if (key.equals(ColumnMetadata.KEY) && value != null) {
                metadata = ColumnMetadata.read(file, value);
            }
        }
        return metadata;
    }
}

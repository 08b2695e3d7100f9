package dev.stoker.formats.arrow;

import dev.stoker.StokerException;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.sample.DType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeBinary;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.flatbuf.UnionMode;
import org.jspecify.annotations.Nullable;

/**
 * Reads columns from Arrow's FlatBuffers. Their parts may point anywhere, also to one another: what is read is bounded
 * in depth and in all, so that a few hostile bytes cannot unfold into very many.
 */
final class SchemaReader {
    private static final int MAX_DEPTH = 64;

    private final String file;
    /** What may still be read, in bytes. Honest files share a string now and then, hence more than there are. */
    private long budget;

    SchemaReader(String file, long metadataBytes) {
        this.file = file;
        this.budget = 16 * metadataBytes + (1 << 16);
    }

    List<ArrowField> columns(Schema schema) {
        if (schema.endianness() != Endianness.Little) {
            throw new StokerException(
                    file,
                    "holds big-endian numbers, which Stoker does not read; write it"
                            + " again on a little-endian machine");
        }
        var columns = new ArrayList<ArrowField>();
        for (int i = 0; i < schema.fieldsLength(); i++) {
            columns.add(field(schema.fields(i), 0));
        }
        return columns;
    }

    ColumnMetadata stoker(Schema schema) {
        for (int i = 0; i < schema.customMetadataLength(); i++) {
            KeyValue pair = schema.customMetadata(i);
            if (text(pair.keyAsByteBuffer()).equals(ColumnMetadata.KEY)) {
                return ColumnMetadata.read(file, text(pair.valueAsByteBuffer()).getBytes(StandardCharsets.UTF_8));
            }
        }
        return ColumnMetadata.NONE;
    }

    private ArrowField field(Field field, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("types are nested more than " + MAX_DEPTH + " deep");
        }
        spend(8);
        var children = new ArrayList<ArrowField>();
        for (int i = 0; i < field.childrenLength(); i++) {
            children.add(field(field.children(i), depth + 1));
        }
        ArrowType type = type(field);
        boolean oneChild = type instanceof ArrowType.ListOf || type instanceof ArrowType.FixedList;
        if (oneChild && children.size() != 1) {
            throw new IllegalArgumentException("a " + type.label() + " has " + children.size() + " children, not one");
        }
        String name = text(field.nameAsByteBuffer());
        return new ArrowField(name, type, children, extension(field), encoding(field));
    }

    private ArrowField.@Nullable Extension extension(Field field) {
        String name = null;
        String metadata = "";
        for (int i = 0; i < field.customMetadataLength(); i++) {
            KeyValue pair = field.customMetadata(i);
            String key = text(pair.keyAsByteBuffer());
            if (key.equals(SchemaWriter.EXTENSION_NAME)) {
                name = text(pair.valueAsByteBuffer());
            } else if (key.equals(SchemaWriter.EXTENSION_METADATA)) {
                metadata = text(pair.valueAsByteBuffer());
            }
        }
        return name == null ? null : new ArrowField.Extension(name, metadata);
    }

    private static ArrowField.@Nullable Encoding encoding(Field field) {
        DictionaryEncoding encoding = field.dictionary();
        if (encoding == null) {
            return null;
        }
        Int index = encoding.indexType();
        return new ArrowField.Encoding(encoding.id(), index == null ? DType.INT32 : integer(index));
    }

    private ArrowType type(Field field) {
        byte type = field.typeType();
        return switch (type) {
            case Type.Int -> new ArrowType.Numeric(integer(read(field, new Int())));
            case Type.FloatingPoint -> new ArrowType.Numeric(floating(read(field, new FloatingPoint())));
            case Type.Bool -> new ArrowType.Bool();
            case Type.Date -> number(read(field, new Date()).unit() == DateUnit.DAY ? 32 : 64);
            case Type.Time -> number(read(field, new Time()).bitWidth());
            case Type.Timestamp, Type.Duration -> number(64);
            case Type.Binary -> new ArrowType.Binary(false, false);
            case Type.LargeBinary -> new ArrowType.Binary(false, true);
            case Type.Utf8 -> new ArrowType.Binary(true, false);
            case Type.LargeUtf8 -> new ArrowType.Binary(true, true);
            case Type.BinaryView -> new ArrowType.View(false);
            case Type.Utf8View -> new ArrowType.View(true);
            case Type.FixedSizeBinary ->
                new ArrowType.FixedBytes(size(read(field, new FixedSizeBinary()).byteWidth()));
            case Type.List -> new ArrowType.ListOf(false);
            case Type.LargeList -> new ArrowType.ListOf(true);
            case Type.FixedSizeList ->
                new ArrowType.FixedList(size(read(field, new FixedSizeList()).listSize()));
            case Type.Struct_ -> new ArrowType.Struct();
            case Type.Null -> new ArrowType.Other("null", 0);
            case Type.Decimal -> new ArrowType.Other("decimal", 2);
            case Type.Interval -> new ArrowType.Other("interval", 2);
            case Type.Map -> new ArrowType.Other("map", 2);
            case Type.Union -> union(read(field, new Union()));
            case Type.RunEndEncoded -> new ArrowType.Other("run_end_encoded", 0, true);
            case Type.ListView -> new ArrowType.Other("list_view", 3);
            case Type.LargeListView -> new ArrowType.Other("large_list_view", 3);
            default ->
                throw new StokerException(
                        file,
                        "column '" + text(field.nameAsByteBuffer())
                                + "' has Arrow's type number " + type
                                + ", which is newer than this Stoker, or damaged; write the file without it");
        };
    }

    private static ArrowType union(Union union) {
        return new ArrowType.Other("union", union.mode() == UnionMode.Sparse ? 1 : 2, true);
    }

    private static <T extends com.google.flatbuffers.Table> T read(Field field, T type) {
        if (field.type(type) == null) {
            throw new IllegalArgumentException("a type has no parameters");
        }
        return type;
    }

    private static DType integer(Int type) {
        return switch (type.bitWidth()) {
            case 8 -> type.isSigned() ? DType.INT8 : DType.UINT8;
            case 16 -> type.isSigned() ? DType.INT16 : DType.UINT16;
            case 32 -> type.isSigned() ? DType.INT32 : DType.UINT32;
            case 64 -> type.isSigned() ? DType.INT64 : DType.UINT64;
            default -> throw new IllegalArgumentException("an integer has " + type.bitWidth() + " bits");
        };
    }

    private static DType floating(FloatingPoint type) {
        return switch (type.precision()) {
            case Precision.HALF -> DType.FLOAT16;
            case Precision.SINGLE -> DType.FLOAT32;
            case Precision.DOUBLE -> DType.FLOAT64;
            default -> throw new IllegalArgumentException("a float has precision " + type.precision());
        };
    }

    private static ArrowType number(int bits) {
        return switch (bits) {
            case 32 -> new ArrowType.Numeric(DType.INT32);
            case 64 -> new ArrowType.Numeric(DType.INT64);
            default -> throw new IllegalArgumentException("a time has " + bits + " bits");
        };
    }

    private static int size(int size) {
        if (size < 0) {
            throw new IllegalArgumentException("a fixed size is " + size);
        }
        return size;
    }

    private String text(@Nullable ByteBuffer utf8) {
        spend(8);
        if (utf8 == null) {
            return "";
        }
        spend(utf8.remaining());
        return StandardCharsets.UTF_8.decode(utf8).toString();
    }

    private void spend(long bytes) {
        budget -= bytes;
        if (budget < 0) {
            throw new IllegalArgumentException("the schema refers to itself");
        }
    }
}

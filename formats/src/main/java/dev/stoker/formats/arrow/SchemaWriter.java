package dev.stoker.formats.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.sample.DType;
import java.util.List;
import org.apache.arrow.flatbuf.Binary;
import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.LargeBinary;
import org.apache.arrow.flatbuf.LargeList;
import org.apache.arrow.flatbuf.LargeUtf8;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/** Writes columns as Arrow's FlatBuffers have them. Every column may have nulls, since other software assumes so. */
final class SchemaWriter {
    static final String EXTENSION_NAME = "ARROW:extension:name";
    static final String EXTENSION_METADATA = "ARROW:extension:metadata";

    private final FlatBufferBuilder to;

    SchemaWriter(FlatBufferBuilder to) {
        this.to = to;
    }

    /** Adds a schema and returns its place in the FlatBuffer. */
    int write(List<ArrowField> columns, String stokerMetadata) {
        int[] fields = columns.stream().mapToInt(this::field).toArray();
        int metadata = Schema.createCustomMetadataVector(to, new int[] {pair(ColumnMetadata.KEY, stokerMetadata)});
        return Schema.createSchema(to, Endianness.Little, Schema.createFieldsVector(to, fields), metadata, 0);
    }

    private int field(ArrowField field) {
        int[] children = field.children().stream().mapToInt(this::field).toArray();
        int childVector = Field.createChildrenVector(to, children);
        int metadata = 0;
        ArrowField.Extension extension = field.extension();
        if (extension != null) {
            metadata = Field.createCustomMetadataVector(
                    to,
                    new int[] {pair(EXTENSION_METADATA, extension.metadata()), pair(EXTENSION_NAME, extension.name())});
        }
        int name = to.createString(field.name());
        byte typeType = typeType(field.type());
        return Field.createField(to, name, true, typeType, type(field.type()), 0, childVector, metadata);
    }

    private int pair(String key, String value) {
        int keyPlace = to.createString(key);
        return KeyValue.createKeyValue(to, keyPlace, to.createString(value));
    }

    private static byte typeType(ArrowType type) {
        return switch (type) {
            case ArrowType.Numeric number -> number.dtype().isFloat() ? Type.FloatingPoint : Type.Int;
            case ArrowType.Bool _ -> Type.Bool;
            case ArrowType.Binary binary when binary.text() -> binary.large() ? Type.LargeUtf8 : Type.Utf8;
            case ArrowType.Binary binary -> binary.large() ? Type.LargeBinary : Type.Binary;
            case ArrowType.ListOf list -> list.large() ? Type.LargeList : Type.List;
            case ArrowType.FixedList _ -> Type.FixedSizeList;
            case ArrowType.Struct _ -> Type.Struct_;
            case ArrowType.View _, ArrowType.FixedBytes _, ArrowType.Other _ -> throw notWritten(type);
        };
    }

    private int type(ArrowType type) {
        return switch (type) {
            case ArrowType.Numeric number -> number(number.dtype());
            case ArrowType.Bool _ -> empty(Bool::startBool, Bool::endBool);
            case ArrowType.Binary binary
            when binary.text() ->
                binary.large()
                        ? empty(LargeUtf8::startLargeUtf8, LargeUtf8::endLargeUtf8)
                        : empty(Utf8::startUtf8, Utf8::endUtf8);
            case ArrowType.Binary binary ->
                binary.large()
                        ? empty(LargeBinary::startLargeBinary, LargeBinary::endLargeBinary)
                        : empty(Binary::startBinary, Binary::endBinary);
            case ArrowType.ListOf list ->
                list.large()
                        ? empty(LargeList::startLargeList, LargeList::endLargeList)
                        : empty(org.apache.arrow.flatbuf.List::startList, org.apache.arrow.flatbuf.List::endList);
            case ArrowType.FixedList list -> FixedSizeList.createFixedSizeList(to, list.size());
            case ArrowType.Struct _ -> empty(Struct_::startStruct_, Struct_::endStruct_);
            case ArrowType.View _, ArrowType.FixedBytes _, ArrowType.Other _ -> throw notWritten(type);
        };
    }

    private int number(DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> FloatingPoint.createFloatingPoint(to, Precision.HALF);
            case FLOAT32 -> FloatingPoint.createFloatingPoint(to, Precision.SINGLE);
            case FLOAT64 -> FloatingPoint.createFloatingPoint(to, Precision.DOUBLE);
            default -> Int.createInt(to, 8 * dtype.bytes(), !dtype.isUnsigned());
        };
    }

    private interface Start {
        void start(FlatBufferBuilder to);
    }

    private interface End {
        int end(FlatBufferBuilder to);
    }

    /** A type that has no parameters. */
    private int empty(Start start, End end) {
        start.start(to);
        return end.end(to);
    }

    private static IllegalArgumentException notWritten(ArrowType type) {
        return new IllegalArgumentException("Stoker writes no columns of " + type.label());
    }
}

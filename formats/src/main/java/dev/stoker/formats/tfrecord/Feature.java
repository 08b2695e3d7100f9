package dev.stoker.formats.tfrecord;

import dev.stoker.StokerException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.TextList;
import dev.stoker.text.Utf8;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One feature of a file's examples: what was seen of it in all of them, and where it is in the current one. */
final class Feature {
    static final int BYTES = 1;
    static final int FLOATS = 2;
    static final int INTEGERS = 3;

    private final MappedFile file;
    private final String name;
    private int kind;
    private long least = Long.MAX_VALUE;
    private long most;
    private boolean isText = true;
    /** The list in the current example; its length is -1 if there is none. */
    private long start;

    private long length = -1;

    Feature(MappedFile file, String name) {
        this.file = file;
        this.name = name;
    }

    String name() {
        return name;
    }

    /** The current example has this list. */
    void set(int listKind, Protobuf list) {
        if (length >= 0 || (kind != 0 && kind != listKind)) {
            throw refused(length >= 0 ? "is twice in one example" : "is a list of one kind here and of another before");
        }
        kind = listKind;
        start = list.start();
        length = list.length();
    }

    void clear() {
        length = -1;
    }

    private Protobuf list() {
        return new Protobuf(file, start, Math.max(0, length));
    }

    /** Takes the current example into account. */
    void see() {
        long count = 0;
        int chunks = 0;
        for (Protobuf list = list(); list.step(); chunks++) {
            requireList(list);
            if (kind == INTEGERS) {
                count += countVarints(list);
            } else {
                count += kind == FLOATS ? list.length() / Float.BYTES : 1;
            }
            isText &= kind != BYTES || !name.equals(Field.KEY) || isUtf8(bytes(list));
        }
        if (kind == FLOATS && chunks > 1) {
            throw refused("has floats that are not packed; write it again with a newer protobuf");
        }
        least = Math.min(least, count);
        most = Math.max(most, count);
    }

    private void requireList(Protobuf list) {
        boolean fits = list.wire() == Protobuf.BYTES
                || (kind == INTEGERS && list.wire() == Protobuf.VARINT)
                || (kind == FLOATS && list.wire() == Protobuf.FIXED32);
        if (list.number() != 1 || !fits || (kind == FLOATS && list.length() % Float.BYTES != 0)) {
            throw list.corrupt("the feature '" + name + "' is not a list of values as tf.train.Example has it");
        }
    }

    private static long countVarints(Protobuf list) {
        long count = 0;
        for (Protobuf numbers = list.inner(); numbers.hasMore(); count++) {
            numbers.varint();
        }
        return count;
    }

    /** The field that all examples together make. */
    Field field() {
        if (kind == BYTES) {
            boolean isKey = name.equals(Field.KEY) && isText && least == 1;
            FieldType one = isKey ? new FieldType.Text() : new FieldType.Bytes();
            return new Field(name, most > 1 ? new FieldType.Texts() : one);
        }
        DType dtype = kind == FLOATS ? DType.FLOAT32 : DType.INT64;
        if (least != most) {
            return new Field(name, new FieldType.Array(dtype, 1));
        }
        return new Field(name, most == 1 ? new FieldType.Scalar(dtype) : new FieldType.Tensor(dtype, List.of(most)));
    }

    Placement placement() {
        FieldType type = field().type();
        boolean isList = type instanceof FieldType.Tensor || type instanceof FieldType.Array;
        boolean stored = type instanceof FieldType.Bytes || (kind == FLOATS && isList);
        return stored ? Placement.stored() : Placement.indexed(type.isFixed());
    }

    /** Gives the value of the current example to the Index. */
    void addTo(IndexBuilder builder, int place, FieldType type) {
        if (type instanceof FieldType.Texts) {
            builder.value(place, MemorySegment.ofArray(TextList.encode(texts())));
        } else if (kind == INTEGERS) {
            addIntegers(builder, place, type);
        } else {
            Protobuf list = list();
            boolean some = list.step();
            long from = some ? list.start() : 0;
            long bytes = some ? list.length() : 0;
            if (placement().place() == Placement.Place.FILE) {
                builder.stored(place, from, bytes);
            } else {
                builder.value(place, file.bytes().asSlice(from, bytes));
            }
            if (type instanceof FieldType.Array) {
                builder.shape(place, bytes / Float.BYTES);
            }
        }
    }

    private void addIntegers(IndexBuilder builder, int place, FieldType type) {
        try (var values = new GrowingBuffer()) {
            for (Protobuf list = list(); list.step(); ) {
                for (Protobuf numbers = list.inner(); numbers.hasMore(); ) {
                    values.addLong(numbers.varint());
                }
            }
            builder.value(place, values.bytes());
            if (type instanceof FieldType.Array) {
                builder.shape(place, values.size() / Long.BYTES);
            }
        }
    }

    private List<String> texts() {
        var texts = new ArrayList<String>();
        for (Protobuf list = list(); list.step(); ) {
            byte[] text = bytes(list);
            if (!isUtf8(text)) {
                throw refused("has several values of bytes in an example that aren't text, which no field can hold");
            }
            texts.add(new String(text, StandardCharsets.UTF_8));
        }
        return texts;
    }

    private byte[] bytes(Protobuf list) {
        return file.bytes().asSlice(list.start(), list.length()).toArray(ValueLayout.JAVA_BYTE);
    }

    private static boolean isUtf8(byte[] bytes) {
        return Utf8.firstMalformed(bytes, 0, bytes.length) < 0;
    }

    private StokerException refused(String what) {
        return new StokerException(file.path(), "the feature '" + name + "' " + what);
    }
}

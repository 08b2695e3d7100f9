package dev.stoker.formats.lmdb;

import dev.stoker.StokerException;
import dev.stoker.format.SmallValues;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.json.Json;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.TextList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How the values of Stoker's own databases are written, and read again. */
final class Values {
    private Values() {}

    /** Keys and short numbers are kept in the Index too, and so are lists of texts, which are JSON in the database. */
    static List<Placement> placements(Schema schema) {
        var placements = new ArrayList<Placement>();
        for (Field field : schema.fields()) {
            FieldType type = field.type();
            boolean isKey = field.name().equals(Field.KEY) && type instanceof FieldType.Text;
            boolean isShort = type.isFixed() && type.width() <= Placement.NARROW;
            placements.add(
                    isKey || isShort || type instanceof FieldType.Texts
                            ? Placement.indexed(type.isFixed())
                            : Placement.stored());
        }
        return placements;
    }

    static byte[] json(Samples samples, long sample, int field) {
        List<String> texts = TextList.decode(MemorySegment.ofArray(SmallValues.read(samples, sample, field)));
        return Json.write(texts).getBytes(StandardCharsets.UTF_8);
    }

    static byte[] npyHeader(Samples samples, long sample, int field) {
        var array = (FieldType.Array) samples.schema().type(field);
        return Npy.header(array.dtype(), samples.shape(sample, field));
    }

    /** Gives the value at a place of the file to the Index; what is wrong with it is a {@link StokerException}. */
    static void add(IndexBuilder builder, int field, boolean isIndexed, MemorySegment file, long at, long length) {
        MemorySegment value = file.asSlice(at, length);
        FieldType type = builder.schema().type(field);
        if (type.isFixed() && length != type.width()) {
            throw new StokerException(
                    "a value of type " + type.label() + " should have " + type.width() + " bytes but has " + length);
        }
        switch (type) {
            case FieldType.Texts ignored -> builder.value(field, MemorySegment.ofArray(texts(value)));
            case FieldType.Array array -> addArray(builder, field, array, value, at);
            default -> {
                if (isIndexed) {
                    builder.value(field, value);
                } else {
                    builder.stored(field, at, length);
                }
            }
        }
    }

    private static byte[] texts(MemorySegment value) {
        var texts = new ArrayList<String>();
        if (Json.parse(value.toArray(ValueLayout.JAVA_BYTE), "JSON") instanceof List<?> list) {
            for (Object text : list) {
                if (!(text instanceof String string)) {
                    throw new StokerException("a list of texts should hold texts but holds " + text);
                }
                texts.add(string);
            }
            return TextList.encode(texts);
        }
        throw new StokerException("a list of texts should be a JSON array");
    }

    private static void addArray(IndexBuilder builder, int field, FieldType.Array type, MemorySegment value, long at) {
        Npy npy = Npy.parse(value, "value");
        long[] shape = npy.shape();
        if (npy.dtype() != type.dtype()
                || npy.bigEndian()
                || npy.fortranOrder()
                || shape.length != type.rank()
                || npy.fileLength() != value.byteSize()) {
            throw new StokerException("a value of type " + type.label() + " and " + value.byteSize()
                    + " bytes claims to be of type " + npy.dtype().label() + " and shape " + Arrays.toString(shape));
        }
        builder.stored(field, at + npy.dataOffset(), npy.dataLength());
        builder.shape(field, shape);
    }
}

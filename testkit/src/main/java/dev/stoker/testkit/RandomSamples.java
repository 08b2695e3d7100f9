package dev.stoker.testkit;

import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.sample.TextList;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Random schemas and samples that a format says it can hold. */
public final class RandomSamples {
    private static final String[] ALPHABETS = {
        "abcXYZ019", "äöüßéñ", "жЩъ", "数据集像", "עברית", "ไทย", "🦊🚂", "e\u0301o\u0308", " '\"\\\n\t%{}[],:;=", "-_+~#@"
    };

    private final Format format;
    private final RandomGenerator random;

    public RandomSamples(Format format, RandomGenerator random) {
        this.format = format;
        this.random = random;
    }

    /** Samples of a random schema, in splits where the format has them. */
    public MemorySamples next(int count) {
        return next(schema(), count);
    }

    /** Random values of a given schema, with keys that differ. */
    public MemorySamples next(Schema schema, int count) {
        var samples = MemorySamples.of(schema);
        for (int i = 0; i < count; i++) {
            var row = new Object[schema.size()];
            for (int f = 0; f < row.length; f++) {
                row[f] = value(schema, f, i);
            }
            samples.add(row);
        }
        if (format.can(Capability.SPLITS) && random.nextBoolean()) {
            samples.splits(splits(count));
        }
        return samples.build();
    }

    /** A random schema: a key and data where the format needs them, and fields of all types. */
    public Schema schema() {
        var fields = new ArrayList<Field>();
        if (!format.can(Capability.KEYLESS) || random.nextInt(4) > 0) {
            fields.add(new Field(Field.KEY, new FieldType.Text()));
        }
        if (!format.can(Capability.ANY_FIELDS) || random.nextInt(4) > 0) {
            fields.add(new Field(Field.DATA, new FieldType.Bytes()));
        }
        List<String> classes = List.of();
        if (random.nextBoolean()) {
            fields.add(new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
            classes = random.nextInt(4) == 0 ? List.of() : List.copyOf(names(1 + random.nextInt(5)));
        }
        for (String name : names(random.nextInt(5))) {
            fields.add(new Field(name, type()));
        }
        if (fields.isEmpty()) {
            fields.add(new Field(Field.DATA, type()));
        }
        return new Schema(fields, classes);
    }

    /** A random type; every type there is can come. */
    public FieldType type() {
        DType dtype = DType.values()[random.nextInt(DType.values().length)];
        return switch (random.nextInt(6)) {
            case 0 -> new FieldType.Bytes();
            case 1 -> new FieldType.Text();
            case 2 -> new FieldType.Texts();
            case 3 -> new FieldType.Scalar(dtype);
            case 4 -> new FieldType.Tensor(dtype, List.of(shape(1 + random.nextInt(3))));
            default -> new FieldType.Array(dtype, 1 + random.nextInt(3));
        };
    }

    /** One to three splits in a row, of which some may be empty. */
    public List<Split> splits(int count) {
        var splits = new ArrayList<Split>();
        long first = 0;
        for (String name : names(1 + random.nextInt(3))) {
            long samples = random.nextLong(count - first + 1);
            splits.add(new Split(name, first, samples));
            first += samples;
        }
        splits.add(new Split("rest", first, count - first));
        return splits;
    }

    public byte[] bytes(int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private Object value(Schema schema, int field, int sample) {
        String name = schema.fields().get(field).name();
        if (name.equals(Field.KEY)) {
            return "%d/%s-%05d.bin".formatted(sample % 3, text(random.nextInt(8)), sample);
        }
        if (name.equals(Field.LABEL)) {
            return Field.NO_LABEL + random.nextInt(schema.classes().size() + 1);
        }
        return switch (schema.type(field)) {
            // Now and then a longer one, so that a container is more than its head and tail.
            case FieldType.Bytes ignored -> bytes(random.nextInt(64) == 0 ? random.nextInt(20_000) : length());
            case FieldType.Text ignored -> text(length()).getBytes(StandardCharsets.UTF_8);
            case FieldType.Texts ignored -> texts();
            case FieldType.Scalar scalar -> numbers(scalar.dtype(), 1);
            case FieldType.Tensor tensor ->
                numbers(tensor.dtype(), tensor.width() / tensor.dtype().bytes());
            case FieldType.Array array -> array(array);
        };
    }

    private int length() {
        return random.nextInt(4) == 0 ? 0 : random.nextInt(200);
    }

    private byte[] texts() {
        var texts = new ArrayList<String>();
        for (int n = random.nextInt(6); n > 0; n--) {
            texts.add(text(random.nextInt(20)));
        }
        return TextList.encode(texts);
    }

    private Shaped array(FieldType.Array type) {
        Long[] shape = shape(type.rank());
        long elements = 1;
        var dimensions = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            dimensions[d] = shape[d];
            elements *= shape[d];
        }
        return new Shaped(dimensions, numbers(type.dtype(), elements));
    }

    private Long[] shape(int rank) {
        var shape = new Long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = random.nextInt(8) == 0 ? 0L : 1 + random.nextLong(4);
        }
        return shape;
    }

    private byte[] numbers(DType dtype, long count) {
        byte[] bytes = bytes(Math.toIntExact(count * dtype.bytes()));
        if (dtype == DType.BOOL) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] &= 1;
            }
        }
        return bytes;
    }

    private Set<String> names(int count) {
        var names = new LinkedHashSet<String>();
        while (names.size() < count) {
            names.add("f" + text(random.nextInt(6)) + names.size());
        }
        return names;
    }

    private String text(int characters) {
        int[] alphabet =
                ALPHABETS[random.nextInt(ALPHABETS.length)].codePoints().toArray();
        var text = new StringBuilder();
        for (int i = 0; i < characters; i++) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }
}

package dev.stoker.sample;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.text.Spelling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The type of a field. Written as text ({@link #label()}) it reads {@code bytes}, {@code text}, {@code text[]}, {@code
 * int64}, {@code float32[3,224,224]} (one shape for all samples) or {@code float32[*,*]} (a shape of its own for each).
 */
@PublicApi
public sealed interface FieldType {
    /** Bytes in one value, or -1 where every value has a length of its own. */
    long width();

    String label();

    default boolean isFixed() {
        return width() >= 0;
    }

    /** Opaque bytes, such as an encoded picture. */
    record Bytes() implements FieldType {
        @Override
        public long width() {
            return -1;
        }

        @Override
        public String label() {
            return "bytes";
        }
    }

    /** UTF-8 text. */
    record Text() implements FieldType {
        @Override
        public long width() {
            return -1;
        }

        @Override
        public String label() {
            return "text";
        }
    }

    /** Several texts, such as the captions of a picture; the value is a {@link dev.stoker.sample.TextList}. */
    record Texts() implements FieldType {
        @Override
        public long width() {
            return -1;
        }

        @Override
        public String label() {
            return "text[]";
        }
    }

    /** One number. */
    record Scalar(DType dtype) implements FieldType {
        @Override
        public long width() {
            return dtype.bytes();
        }

        @Override
        public String label() {
            return dtype.label();
        }
    }

    /** An array whose shape is the same in every sample; row-major. */
    record Tensor(DType dtype, List<Long> shape) implements FieldType {
        public Tensor {
            shape = List.copyOf(shape);
            if (shape.isEmpty()) {
                throw new StokerException("a tensor needs at least one dimension; a single number is a scalar");
            }
            elements(shape, dtype);
        }

        @Override
        public long width() {
            return elements(shape, dtype) * dtype.bytes();
        }

        @Override
        public String label() {
            return dtype.label() + shape.toString().replace(" ", "");
        }

        private static long elements(List<Long> shape, DType dtype) {
            long elements = 1;
            try {
                for (long dimension : shape) {
                    if (dimension < 0) {
                        throw new StokerException("shape " + shape + ": a dimension must not be negative");
                    }
                    elements = Math.multiplyExact(elements, dimension);
                }
                Math.multiplyExact(elements, dtype.bytes());
            } catch (ArithmeticException e) {
                throw new StokerException("shape " + shape + " of " + dtype.label() + " is larger than 2^63 bytes", e);
            }
            return elements;
        }
    }

    /** An array with a shape of its own in every sample, but always the same number of dimensions; row-major. */
    record Array(DType dtype, int rank) implements FieldType {
        public static final int MAX_RANK = 32;

        public Array {
            if (rank < 1 || rank > MAX_RANK) {
                throw new StokerException("an array has 1 to " + MAX_RANK + " dimensions, not " + rank);
            }
        }

        @Override
        public long width() {
            return -1;
        }

        @Override
        public String label() {
            return dtype.label() + "[" + "*,".repeat(rank - 1) + "*]";
        }
    }

    /** A type as the user names it; a mistyped one is refused with a suggestion. */
    static FieldType named(String typed) {
        try {
            return of(typed);
        } catch (StokerException e) {
            int bracket = typed.indexOf('[');
            String word = bracket < 0 ? typed : typed.substring(0, bracket);
            throw new UsageException(
                    e.getMessage() + (labels().contains(word) ? "" : Spelling.hint(word, labels())), e);
        }
    }

    /** The types that have no shape; an array is one of the numbers, with its shape in brackets. */
    static List<String> labels() {
        return Stream.concat(
                        Stream.of("bytes", "text", "text[]"),
                        Arrays.stream(DType.values()).map(DType::label))
                .toList();
    }

    /** Reads what {@link #label()} wrote. */
    static FieldType of(String label) {
        switch (label) {
            case "bytes":
                return new Bytes();
            case "text":
                return new Text();
            case "text[]":
                return new Texts();
            default:
        }
        int bracket = label.indexOf('[');
        if (bracket < 0) {
            return new Scalar(DType.of(label));
        }
        DType dtype = DType.of(label.substring(0, bracket));
        if (!label.endsWith("]") || label.length() == bracket + 2) {
            throw unreadable(label);
        }
        String[] dimensions = label.substring(bracket + 1, label.length() - 1).split(",", -1);
        if (dimensions[0].equals("*")) {
            for (String dimension : dimensions) {
                if (!dimension.equals("*")) {
                    throw unreadable(label);
                }
            }
            return new Array(dtype, dimensions.length);
        }
        var shape = new ArrayList<Long>();
        for (String dimension : dimensions) {
            try {
                shape.add(Long.parseLong(dimension));
            } catch (NumberFormatException e) {
                throw unreadable(label);
            }
        }
        return new Tensor(dtype, shape);
    }

    private static StokerException unreadable(String label) {
        return new StokerException("unknown field type '" + label
                + "'; valid are bytes, text, text[], a number type such as int64 or float32, and arrays of numbers such"
                + " as float32[3,224,224] or float32[*,*]");
    }
}

package dev.stoker.formats.arrow;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.util.Map;

/** Which column a field becomes. */
final class Fields {
    private Fields() {}

    /**
     * The column of a field.
     *
     * @param large whether the values of one record batch need offsets of 64 bits
     */
    static ArrowField column(String name, Field field, boolean large) {
        return switch (field.type()) {
            case FieldType.Bytes _ -> new ArrowField(name, new ArrowType.Binary(false, large));
            case FieldType.Text _ -> new ArrowField(name, new ArrowType.Binary(true, large));
            case FieldType.Texts _ ->
                new ArrowField(
                        name,
                        new ArrowType.ListOf(large),
                        new ArrowField(ArrowField.ITEM, new ArrowType.Binary(true, large)));
            case FieldType.Scalar scalar -> scalar(name, scalar.dtype());
            case FieldType.Tensor tensor -> tensor(name, field, tensor);
            case FieldType.Array array -> array(name, array, large);
        };
    }

    private static ArrowField scalar(String name, DType dtype) {
        return new ArrowField(name, dtype == DType.BOOL ? new ArrowType.Bool() : new ArrowType.Numeric(dtype));
    }

    /** An element of an array, which keeps a whole byte for a bool. */
    private static ArrowField element(DType dtype) {
        return dtype == DType.BOOL
                ? new ArrowField(ArrowField.ITEM, new ArrowType.Numeric(DType.INT8)).with(ArrowField.BOOL8, "")
                : new ArrowField(ArrowField.ITEM, new ArrowType.Numeric(dtype));
    }

    private static ArrowField tensor(String name, Field field, FieldType.Tensor tensor) {
        long elements = tensor.width() / tensor.dtype().bytes();
        if (elements > Integer.MAX_VALUE) {
            throw new StokerException("field '" + field.name() + "' of type " + tensor.label() + " has " + elements
                    + " elements, but a tensor in an Arrow file has at most " + Integer.MAX_VALUE
                    + "; choose another format, such as stk");
        }
        return new ArrowField(name, new ArrowType.FixedList((int) elements), element(tensor.dtype()))
                .with(ArrowField.FIXED_TENSOR, Json.write(Map.of("shape", tensor.shape())));
    }

    private static ArrowField array(String name, FieldType.Array array, boolean large) {
        var column = new ArrowField(
                name,
                new ArrowType.Struct(),
                new ArrowField("data", new ArrowType.ListOf(large), element(array.dtype())),
                new ArrowField("shape", new ArrowType.FixedList(array.rank()), element(DType.INT32)));
        // Readers that know the canonical type refuse a file that uses it with large_list, or with an extension type.
        boolean canonical = !large && array.dtype() != DType.BOOL;
        return column.with(canonical ? ArrowField.VARIABLE_TENSOR : ArrowField.OWN_VARIABLE_TENSOR, "{}");
    }
}

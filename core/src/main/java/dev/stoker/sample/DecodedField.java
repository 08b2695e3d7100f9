package dev.stoker.sample;

import dev.stoker.StokerException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which field has the pictures, or whatever else is to be decoded: containers written by other tools have any name for it. */
public final class DecodedField {
    private DecodedField() {}

    /**
     * The field that the user names, {@code data}, or the only one of bytes.
     *
     * @param source what the user calls the dataset
     * @param named what the user names, or null
     * @param option how the user names one, for the message: {@code --decode-field}
     */
    public static String find(Schema schema, String source, @Nullable String named, String option) {
        if (named != null) {
            return schema.fields().get(schema.place(named)).name();
        }
        if (schema.find(Field.DATA) >= 0) {
            return Field.DATA;
        }
        List<String> bytes = schema.fields().stream()
                .filter(field -> field.type() instanceof FieldType.Bytes)
                .map(Field::name)
                .toList();
        if (bytes.size() == 1) {
            return bytes.getFirst();
        }
        throw new StokerException(
                source,
                bytes.isEmpty()
                        ? "has no field of bytes that could be decoded"
                        : "has several fields that could be decoded; name one with " + option + ": "
                                + String.join(", ", bytes));
    }
}

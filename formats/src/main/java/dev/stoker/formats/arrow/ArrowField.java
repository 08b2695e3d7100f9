package dev.stoker.formats.arrow;

import dev.stoker.sample.DType;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A column, or a child of one.
 *
 * @param extension the extension type, if it has one
 * @param dictionary for a dictionary-encoded column; {@code type} and {@code children} are then those of the
 *     dictionary's values
 */
record ArrowField(
        String name,
        ArrowType type,
        List<ArrowField> children,
        @Nullable Extension extension,
        @Nullable Encoding dictionary) {
    static final String FIXED_TENSOR = "arrow.fixed_shape_tensor";
    static final String VARIABLE_TENSOR = "arrow.variable_shape_tensor";
    /** Laid out alike, for elements that the canonical type is not defined for. */
    static final String OWN_VARIABLE_TENSOR = "stoker.variable_shape_tensor";

    static final String BOOL8 = "arrow.bool8";

    /** What the elements of a list are called, by convention. */
    static final String ITEM = "item";

    record Extension(String name, String metadata) {}

    /** The values of a column are numbers of entries of a dictionary. */
    record Encoding(long id, DType index) {}

    ArrowField {
        children = List.copyOf(children);
    }

    ArrowField(String name, ArrowType type, ArrowField... children) {
        this(name, type, List.of(children), null, null);
    }

    ArrowField with(String extensionName, String metadata) {
        return new ArrowField(name, type, children, new Extension(extensionName, metadata), dictionary);
    }

    boolean is(String extensionName) {
        return extension != null && extension.name.equals(extensionName);
    }

    /** The type as Arrow's users write it: {@code list<utf8>}. */
    String label() {
        String inner = children.isEmpty()
                ? ""
                : children.stream().map(ArrowField::label).collect(Collectors.joining(", ", "<", ">"));
        return dictionary == null ? type.label() + inner : "dictionary<" + type.label() + inner + ">";
    }
}

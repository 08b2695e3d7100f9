package dev.stoker.formats.arrow;

import dev.stoker.formats.shared.table.TableColumns;
import dev.stoker.index.Placement;
import dev.stoker.sample.FieldType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the values of one column in record batch after record batch. */
interface ColumnReader {
    FieldType type();

    default Placement placement() {
        return TableColumns.placement(type());
    }

    /** A reader of the same column that gives all values themselves, so that none need be in the file as it is. */
    default ColumnReader copying() {
        return this;
    }

    /** Takes the column's nodes and buffers, and gives a value for each row. */
    void read(BatchCursor batch, ValueSink to);

    /**
     * The reader of a column; null if Stoker does not read its type.
     *
     * @param dictionaries those that columns refer to, by their numbers; what a column needs is added
     */
    static @Nullable ColumnReader of(ArrowField field, Map<Long, Dictionary> dictionaries) {
        ArrowField.Encoding encoding = field.dictionary();
        if (encoding == null) {
            return ofValues(field);
        }
        var values = new ArrowField(field.name(), field.type(), field.children(), field.extension(), null);
        ColumnReader reader = ofValues(values);
        boolean ofAny = reader instanceof RunReader || reader instanceof ViewReader || reader instanceof FixedReader;
        if (reader == null || !ofAny || reader.type().width() == 0) {
            return null;
        }
        Dictionary dictionary = dictionaries.computeIfAbsent(encoding.id(), _ -> new Dictionary(reader));
        if (!dictionary.type().equals(reader.type())) {
            throw new IllegalArgumentException("dictionary " + encoding.id() + " is used by columns of "
                    + dictionary.type().label() + " and of " + reader.type().label());
        }
        return new DictionaryReader(field.name(), dictionary, encoding.index());
    }

    private static @Nullable ColumnReader ofValues(ArrowField field) {
        return switch (field.type()) {
            case ArrowType.Binary binary -> new RunReader(binary);
            case ArrowType.View view -> new ViewReader(view.text());
            case ArrowType.ListOf list -> ofList(field, list.large());
            case ArrowType.Struct _ -> TensorReader.of(field);
            case ArrowType.Numeric _, ArrowType.Bool _, ArrowType.FixedBytes _, ArrowType.FixedList _ -> {
                Elements elements = Elements.of(field);
                yield elements == null ? null : FixedReader.of(field.name(), elements);
            }
            case ArrowType.Other _ -> null;
        };
    }

    private static @Nullable ColumnReader ofList(ArrowField field, boolean large) {
        ArrowField child = field.children().getFirst();
        if (child.type() instanceof ArrowType.Binary text && text.text() && child.dictionary() == null) {
            return new TextsReader(large, text.large());
        }
        Elements elements = Elements.of(child);
        return elements == null || elements.shape().size() >= FieldType.Array.MAX_RANK
                ? null
                : new ListReader(field.name(), large, elements, false);
    }
}

package dev.stoker.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.UsageException;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormatOptionsTest {
    private static final Schema SCHEMA =
            new Schema(List.of(new Field("key", new FieldType.Text()), new Field("data", new FieldType.Bytes())));

    @Test
    void refusesANameForAFieldThatThereIsNot() {
        new FormatOptions(Map.of("data", "image"), Map.of()).requireFields(SCHEMA);
        assertThatThrownBy(() -> new FormatOptions(Map.of("label", "y"), Map.of()).requireFields(SCHEMA))
                .isExactlyInstanceOf(UsageException.class)
                .hasMessage("the field 'label' cannot be called 'y': no field 'label'; the fields are key, data");
    }
}

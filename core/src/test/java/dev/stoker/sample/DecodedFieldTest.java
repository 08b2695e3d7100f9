package dev.stoker.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecodedFieldTest {
    private static String find(@Nullable String named, String... bytes) {
        var fields = new ArrayList<>(List.of(new Field("label", new FieldType.Scalar(DType.INT64))));
        for (String name : bytes) {
            fields.add(new Field(name, new FieldType.Bytes()));
        }
        return DecodedField.find(new Schema(fields), "x.parquet", named, "--decode-field");
    }

    @Test
    void takesDataOrTheOnlyFieldOfBytes() {
        assertThat(find(null, "thumbnail", "data")).isEqualTo("data");
        assertThat(find(null, "image.bytes")).isEqualTo("image.bytes");
        assertThat(find("thumbnail", "thumbnail", "data")).isEqualTo("thumbnail");
    }

    @Test
    void saysHowToChoose() {
        assertThatThrownBy(() -> find(null, "image", "mask"))
                .isInstanceOf(StokerException.class)
                .hasMessage("[x.parquet] has several fields that could be decoded; name one with --decode-field: image,"
                        + " mask");
        assertThatThrownBy(() -> find(null))
                .isInstanceOf(StokerException.class)
                .hasMessage("[x.parquet] has no field of bytes that could be decoded");
        assertThatThrownBy(() -> find("imag", "image"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no field 'imag'")
                .hasMessageContaining("did you mean 'image'");
    }
}

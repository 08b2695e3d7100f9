package dev.stoker.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omission;
import dev.stoker.testkit.MemorySamples;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be read or written is refused by its name. */
class ArrowRefusalTest {
    private static final Format FORMAT = new ArrowFormat();

    @TempDir
    Path folder;

    @Test
    void unsupportedFilesAreRefusedByName() {
        Pyarrow.run("arrow_refused.py", folder);
        refused("one.feather", "is Feather version 1");
        refused(
                "other.arrow",
                "there is none that Stoker reads; left out: s (column of type list<struct<int64>>): fields have no such"
                        + " type; d (column of type decimal)");
        refused("twice.arrow", "two fields have the name 'x'");
        try (Container container = Container.open(folder.resolve("two.feather"))) {
            assertThat(container.count()).isEqualTo(3);
        }
    }

    /** A null does not keep the rest from being read, but what stands for it is said. */
    @Test
    void nullsAreCounted() {
        Pyarrow.run("arrow_refused.py", folder);
        try (Container container = Container.open(folder.resolve("null.arrow"))) {
            assertThat(container.value(1, 1).get(LittleEndian.U64, 0)).isEqualTo(-1);
            assertThat(container.omissions().stream().map(Omission::toString))
                    .containsExactly(
                            "label (1 null): each is read as -1",
                            "flag (1 null): each is read as false",
                            "text (1 null): each is read as an empty text");
        }
    }

    @Test
    void aColumnWithoutANameGetsOne() {
        Pyarrow.run("arrow_refused.py", folder);
        try (Container container = Container.open(folder.resolve("unnamed.arrow"))) {
            assertThat(container.schema().place("unnamed")).isZero();
            assertThat(container.value(0, 0).get(LittleEndian.U64, 0)).isEqualTo(7);
        }
    }

    private void refused(String file, String reason) {
        Path path = folder.resolve(file);
        assertThatThrownBy(() -> Container.open(path).close())
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("[" + path + "]")
                .hasMessageContaining(reason);
    }

    @Test
    void twoColumnsOfOneNameAreRefused() {
        var samples = MemorySamples.of(
                        new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()))
                .build();
        var options = new FormatOptions(Map.of(Field.DATA, Field.KEY), Map.of());
        assertThatThrownBy(() -> FORMAT.plan(samples, options)).hasMessage("two fields have the name 'key'");
    }

    @Test
    void aTensorOfTooManyElementsIsRefused() {
        var type = new FieldType.Tensor(DType.UINT8, List.of(1L << 16, 1L << 15));
        var samples = MemorySamples.of(new Field("volume", type)).build();
        assertThatThrownBy(() -> FORMAT.plan(samples, FormatOptions.NONE))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("'volume' of type uint8[65536,32768] has 2147483648 elements");
    }

    @Test
    void aWrongNumberOfRowsIsRefused() {
        var samples = MemorySamples.of(new Field("x", new FieldType.Bytes())).build();
        for (String rows : List.of("0", "-1", "many")) {
            assertThatThrownBy(() -> FORMAT.plan(samples, new FormatOptions(Map.of(), Map.of("rows-per-batch", rows))))
                    .hasMessage("--rows-per-batch takes a whole number of at least 1, not '" + rows + "'");
        }
    }
}

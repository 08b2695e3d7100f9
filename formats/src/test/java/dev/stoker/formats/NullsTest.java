package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.sample.Omission;
import dev.stoker.testkit.Python;
import dev.stoker.testkit.Same;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A null keeps no file from being read, not even where values are read as they are in the file. */
class NullsTest {
    private static final String SCRIPTS = "formats/src/test/python/";

    @TempDir
    Path folder;

    private void write() throws IOException {
        Path scripts = Path.of(System.getProperty("stoker.root"), SCRIPTS);
        String text = Files.readString(scripts.resolve("arrow_canonical.py"))
                + Files.readString(scripts.resolve("arrow_nulls.py"));
        Python.require(SCRIPTS + "arrow.txt").output(text, folder);
    }

    /** Floats of 4 or 8 bytes, as {@code Arrays.toString} shows them, of the five rows: the last one, and then all four. */
    private static String floats(Container container, long sample, String field, int bytes) {
        ByteBuffer value = ByteBuffer.wrap(bytes(container, sample, field)).order(ByteOrder.LITTLE_ENDIAN);
        var found = new double[value.remaining() / bytes];
        for (int i = 0; i < found.length; i++) {
            found[i] = bytes == 4 ? value.getFloat() : value.getDouble();
        }
        return Arrays.toString(found);
    }

    private static byte[] bytes(Container container, long sample, String field) {
        return Same.bytes(container, sample, container.schema().place(field));
    }

    private static String ascii(Container container, long sample, String field) {
        return new String(bytes(container, sample, field), StandardCharsets.ISO_8859_1);
    }

    private static void assertDigests(Container container, String field, String... expected) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(ascii(container, i, field)).as(field + " " + i).isEqualTo(expected[i].repeat(32));
        }
    }

    @Test
    void arrow() throws IOException {
        write();
        for (String name : new String[] {"file-None", "file-zstd", "stream-None", "stream-zstd"}) {
            Path file = folder.resolve(name + ".arrow");
            for (int opened = 0; opened < 2; opened++) {
                assertThat(Sidecar.isBeside(file)).isEqualTo(opened > 0);
                try (Container container = Container.open(file)) {
                    assertArrow(container);
                }
            }
        }
    }

    private static void assertArrow(Container container) {
        assertThat(container.count()).isEqualTo(5);
        String row = floats(container, 0, "whole", 4);
        assertThat(row).startsWith("[0.0, 1.0,").endsWith(" 39.0]");
        assertThat(floats(container, 0, "box", 4)).isEqualTo(row);
        assertThat(floats(container, 1, "box", 4)).isEqualTo(row);
        assertThat(floats(container, 2, "box", 4)).isEqualTo(Arrays.toString(nan(40)));
        assertThat(floats(container, 3, "box", 4)).isEqualTo(row.replace("39.0", "NaN"));
        assertThat(floats(container, 4, "box", 4)).isEqualTo(row);
        var nested = ByteBuffer.wrap(bytes(container, 2, "nested")).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(nested.getInt()).isEqualTo(1);
        while (nested.hasRemaining()) {
            assertThat(nested.getInt()).isEqualTo(-1);
        }
        assertThat(bytes(container, 3, "nested")).hasSize(72).containsOnly(-1);
        assertThat(bytes(container, 4, "nested"))
                .isEqualTo(bytes(container, 0, "nested"))
                .startsWith(3, 0, 0, 0, 4);
        assertThat(floats(container, 0, "list", 8)).isEqualTo("[3.5]");
        assertThat(floats(container, 1, "list", 8)).isEqualTo("[1.5, NaN, 2.5]");
        assertThat(floats(container, 2, "list", 8)).isEqualTo("[]");
        assertThat(floats(container, 3, "list", 8)).isEqualTo("[]");
        assertThat(container.shape(1, container.schema().place("list"))).containsExactly(3);
        assertThat(bytes(container, 1, "flags")).containsExactly(1, 0);
        assertThat(bytes(container, 3, "flags")).isEmpty();
        assertDigests(container, "digest", "c", "a", "\u00ff", "b", "c");
        assertDigests(container, "s.id", "c", "a", "\u00ff", "\u00ff", "c");
        assertThat(container.omissions().stream().map(Omission::toString))
                .containsExactly(
                        "box (2 nulls): each element is read as NaN",
                        "nested (10 nulls): each element is read as -1",
                        "list (2 nulls): each is read as an empty list, or in a list as NaN",
                        "flags (2 nulls): each is read as an empty list, or in a list as false",
                        "digest (1 null): each element is read as 255",
                        "s.id (2 nulls): each element is read as 255");
    }

    private static double[] nan(int count) {
        var all = new double[count];
        Arrays.fill(all, Double.NaN);
        return all;
    }

    @Test
    void parquet() throws IOException {
        write();
        for (String name : new String[] {"none", "zstd"}) {
            try (Container container = Container.open(folder.resolve(name + ".parquet"))) {
                assertDigests(container, "digest", "c", "a", "\u00ff", "b", "c");
                assertDigests(container, "s.id", "c", "a", "\u00ff", "\u00ff", "c");
                assertThat(floats(container, 1, "list", 8)).isEqualTo("[1.5, NaN, 2.5]");
                assertThat(container.omissions().stream().map(Omission::toString))
                        .containsExactly(
                                "digest (1 null): each element is read as 255",
                                "s.id (2 nulls): each element is read as 255",
                                "list (2 nulls): each is read as an empty list, or in a list as NaN");
            }
        }
    }
}

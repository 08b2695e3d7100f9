package dev.stoker.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.container.Container;
import dev.stoker.sample.DType;
import dev.stoker.sample.Npy;
import dev.stoker.sample.Samples;
import dev.stoker.transform.RetypedSamples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListedNpyFilesTest {
    @TempDir
    private Path folder;

    private Scratch scratch = new Scratch(Path.of("."));

    @BeforeEach
    void begin() {
        scratch = new Scratch(folder);
    }

    /** An array whose bytes are all {@code fill}. */
    private static byte[] npy(DType dtype, int fill, long... shape) {
        byte[] header = Npy.header(dtype, shape);
        long length = Npy.parse(header, "").dataLength();
        byte[] file = Arrays.copyOf(header, header.length + Math.toIntExact(length));
        Arrays.fill(file, header.length, file.length, (byte) fill);
        return file;
    }

    private static byte[] filled(int bytes, int fill) {
        var filled = new byte[bytes];
        Arrays.fill(filled, (byte) fill);
        return filled;
    }

    private Container packed() {
        return scratch.pack(FolderSource.list(scratch.src(), true, 2));
    }

    private String dataType() {
        try (Samples samples = FolderSource.list(scratch.src(), true, 2)) {
            return Scratch.type(samples, "data");
        }
    }

    @Test
    void singleNumbersCanBeGivenAnotherType() {
        scratch.file("0.npy", npy(DType.FLOAT64, 0));
        scratch.file("1.npy", npy(DType.FLOAT64, 0));
        Samples numbers = RetypedSamples.of(FolderSource.list(scratch.src(), true, 2), Map.of("data", "float32"), 2);
        try (Container container = scratch.pack(numbers)) {
            assertThat(Scratch.type(container, "data")).isEqualTo("float32");
            assertThat(container.value(1, container.schema().place("data")).byteSize())
                    .isEqualTo(4);
        }
    }

    @Test
    void arraysOfOneShapeAreATensor() {
        for (int i = 0; i < 200; i++) {
            scratch.file("%03d.npy".formatted(i), npy(DType.FLOAT32, i, 2, 3));
        }
        try (Container container = packed()) {
            assertThat(Scratch.type(container, "data")).isEqualTo("float32[2,3]");
            for (int i = 0; i < 200; i++) {
                assertThat(Scratch.bytes(container, "data").get(i)).isEqualTo(filled(24, i));
            }
        }
    }

    @Test
    void arraysOfSeveralShapesHaveEachTheirOwn() {
        scratch.file("a.npy", npy(DType.UINT8, 1, 2, 3));
        scratch.file("b.npy", npy(DType.UINT8, 2, 5, 0));
        scratch.file("c.npy", npy(DType.UINT8, 3, 1, 4));
        try (Container container = packed()) {
            assertThat(Scratch.type(container, "data")).isEqualTo("uint8[*,*]");
            assertThat(container.shape(0, 1)).containsExactly(2, 3);
            assertThat(container.shape(1, 1)).containsExactly(5, 0);
            assertThat(Scratch.bytes(container, "data")).containsExactly(filled(6, 1), filled(0, 2), filled(4, 3));
        }
    }

    @Test
    void singleNumbersAreNumbers() {
        scratch.file("a.npy", npy(DType.INT16, 1));
        scratch.file("b.npy", npy(DType.INT16, 2));
        try (Container container = packed()) {
            assertThat(Scratch.type(container, "data")).isEqualTo("int16");
            assertThat(Scratch.bytes(container, "data")).containsExactly(filled(2, 1), filled(2, 2));
        }
    }

    @Test
    void whatIsNotAlikeOrNotCanonicalStaysBytes() {
        byte[] first = npy(DType.FLOAT32, 1, 2);
        scratch.file("a.npy", first);
        assertThat(dataType()).isEqualTo("float32[2]");
        byte[] truncated = Arrays.copyOf(first, first.length - 1);
        byte[] bigEndian = new String(first, StandardCharsets.ISO_8859_1)
                .replace("<f4", ">f4")
                .getBytes(StandardCharsets.ISO_8859_1);
        byte[] fortran = new String(npy(DType.FLOAT32, 1, 2, 2), StandardCharsets.ISO_8859_1)
                .replace("'fortran_order': False", "'fortran_order': True ")
                .getBytes(StandardCharsets.ISO_8859_1);
        byte[][] others = {
            npy(DType.FLOAT64, 1, 2), npy(DType.FLOAT32, 1, 2, 2), truncated, bigEndian, fortran, new byte[0], {1, 2, 3}
        };
        for (byte[] other : others) {
            scratch.file("b.npy", other);
            try (Container container = packed()) {
                assertThat(Scratch.type(container, "data")).isEqualTo("bytes");
                assertThat(Scratch.bytes(container, "data")).containsExactly(first, other);
            }
        }
        scratch.file("b.npy", first);
        scratch.file("c.txt", "text");
        assertThat(dataType()).isEqualTo("bytes");
    }

    @Test
    void aManifestOfArraysHasTensors() {
        scratch.file("x/a.npy", npy(DType.INT64, 5, 1));
        try (Container container = scratch.pack(scratch.manifest(scratch.beside("m.json", "{\"x/a.npy\": 3}")))) {
            assertThat(Scratch.type(container, "data")).isEqualTo("int64[1]");
            assertThat(Scratch.longs(container, "data")).containsExactly(0x0505050505050505L);
            assertThat(Scratch.longs(container, "label")).containsExactly(3L);
        }
    }

    @Test
    void anArrayThatChangesAfterListingIsRefused() throws IOException {
        Path file = scratch.file("a.npy", npy(DType.INT64, 5, 1));
        try (Samples samples = FolderSource.list(scratch.src(), true, 1)) {
            Files.write(file, npy(DType.INT64, 5, 2));
            assertThatThrownBy(() -> scratch.pack(samples))
                    .hasMessage("[" + file + "] changed while it was being packed: it had 136 bytes and now has 144."
                            + " Pack again when nothing writes to the source");
        }
    }
}

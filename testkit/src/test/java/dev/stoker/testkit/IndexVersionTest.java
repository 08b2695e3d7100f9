package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.StkFormat;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.verify.Verifier;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What this Stoker does with an Index of a later version, as {@code docs/format/index.md} says. */
class IndexVersionTest {
    private static final int HEADER = 128;
    private static final int ENTRY = 32;

    @TempDir
    Path folder;

    static Stream<Format> formats() {
        return Stream.of(new StkFormat(), new PlainFormat());
    }

    @ParameterizedTest
    @MethodSource("formats")
    void aLaterMajorVersionIsRefused(Format format) {
        Path place = change(format, bytes -> bytes.set(LittleEndian.U16, 8, (short) 2));
        assertThatThrownBy(() -> Container.open(place, format.name()))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("is an Index of version 2, but this Stoker reads version 1; use a newer Stoker");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void aSectionOfALaterMinorVersionIsPassedOver(Format format) {
        Path place = change(format, bytes -> {
            int count = bytes.get(LittleEndian.U32, 40);
            long entry = HEADER + (long) ENTRY * count;
            bytes.set(LittleEndian.U16, 10, (short) 9);
            bytes.set(LittleEndian.U32, 40, count + 1);
            bytes.set(LittleEndian.U32, entry, 99);
            bytes.set(LittleEndian.U32, entry + 4, -1);
            bytes.set(LittleEndian.U64, entry + 8, 0);
            bytes.set(LittleEndian.U64, entry + 16, HEADER);
        });
        try (Container container = Container.open(place, format.name())) {
            Same.assertSame(container, samples(format));
            assertThat(Verifier.verify(container, 1, new Progress()).listed()).isEmpty();
        }
    }

    private static MemorySamples samples(Format format) {
        return format instanceof StkFormat
                ? GoldenFiles.splitSamples()
                : GoldenFiles.samples().build();
    }

    /** Packs, and changes the Index in a way that its checksums fit. */
    private Path change(Format format, Consumer<MemorySegment> how) {
        Path place = GoldenFiles.pack(format, folder, samples(format));
        Path file = Files.exists(Sidecar.beside(place)) ? Sidecar.beside(place) : place;
        byte[] bytes = Workshop.read(file);
        MemorySegment index = MemorySegment.ofArray(bytes);
        how.accept(index);
        long table = (long) ENTRY * index.get(LittleEndian.U32, 40);
        index.set(LittleEndian.U32, 44, Checksum.of(index.asSlice(HEADER, table)));
        index.set(LittleEndian.U32, 124, Checksum.of(index.asSlice(0, 124)));
        Workshop.write(file, bytes);
        return place;
    }
}

package dev.stoker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import dev.stoker.verify.Verifier;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An Index whose checksums are all right, and which does not say what its container says: verify compares the two. */
class LyingIndexTest {
    private static final List<String> FIELDS = List.of(Field.KEY, Field.DATA, Field.LABEL);
    private static final int VALUES = 2;
    private static final int EXTENTS = 3;
    private static final int CHECKSUMS = 4;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private Path pack(String format) {
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Text()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.UINT16)));
        for (int i = 0; i < 4; i++) {
            samples.add("k" + i, "text " + i, new byte[] {(byte) i, 0});
        }
        Path container = new Workshop(Formats.named(format), FormatOptions.NONE, folder, seed.random())
                .pack(samples.build(), "lying");
        assertThat(verify(container).isIntact()).isTrue();
        return container;
    }

    private static Verifier.Report verify(Path container) {
        try (Container opened = Container.openDamaged(container)) {
            return Verifier.verify(opened, 2, new Progress());
        }
    }

    /** Swaps what the first and the last sample have in some sections of a field, and makes all checksums fit. */
    private static void swap(Path container, String name, int... kinds) {
        int field = FIELDS.indexOf(name);
        Path sidecar = Sidecar.beside(container);
        byte[] bytes = Workshop.read(sidecar);
        MemorySegment index = MemorySegment.ofArray(bytes);
        for (int kind : kinds) {
            for (long entry = 128; entry < 128 + 32L * index.get(LittleEndian.U32, 40); entry += 32) {
                if (index.get(LittleEndian.U32, entry) == kind && index.get(LittleEndian.U32, entry + 4) == field) {
                    swap(index.asSlice(
                            index.get(LittleEndian.U64, entry + 8), index.get(LittleEndian.U64, entry + 16)));
                }
            }
        }
        Signers.index(bytes, 0);
        Workshop.write(sidecar, bytes);
    }

    private static void swap(MemorySegment four) {
        long width = four.byteSize() / 4;
        var first = MemorySegment.ofArray(new byte[(int) width]).copyFrom(four.asSlice(0, width));
        four.asSlice(0, width).copyFrom(four.asSlice(3 * width, width));
        four.asSlice(3 * width, width).copyFrom(first);
    }

    private static void assertDisagree(Path container, String field) {
        Verifier.Report report = verify(container);
        assertThat(report.listed())
                .filteredOn(damage -> damage.kind() == Verifier.Kind.FRAME
                        && damage.field().equals(field)
                        && damage.reason().contains("frame and the Index disagree"))
                .extracting(Verifier.Damage::sample)
                .containsExactlyInAnyOrder(0L, 3L);
    }

    /** To a zip, a text is bytes. */
    @Test
    void valuesOfAnotherTypeLieWhereTheFrameSays() {
        Path container = pack("zip");
        swap(container, Field.DATA, EXTENTS, CHECKSUMS);
        assertDisagree(container, Field.DATA);
    }

    @Test
    void numbersOfAnotherTypeAreThoseOfTheFrame() {
        Path container = pack("tar");
        Path sidecar = Sidecar.beside(container);
        String text = new String(Workshop.read(sidecar), StandardCharsets.ISO_8859_1);
        assertThat(text).contains("\"uint16\"");
        Workshop.write(sidecar, text.replace("\"uint16\"", "\"int16\" ").getBytes(StandardCharsets.ISO_8859_1));
        swap(container, Field.LABEL, VALUES, CHECKSUMS);
        assertDisagree(container, Field.LABEL);
    }
}

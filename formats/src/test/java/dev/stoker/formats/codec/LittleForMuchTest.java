package dev.stoker.formats.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.io.Checksum;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import dev.stoker.verify.Verifier;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers do not believe that a few bytes stand for very many, so writers must not ask them to: such a block is stored as it is. */
class LittleForMuchTest {
    private static final int BYTES = 300 << 20;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"stk", "arrow"})
    void aLargeSampleOfZerosIsReadAgain(String format) {
        var zeros = new byte[BYTES];
        var samples = MemorySamples.of(new Field(Field.DATA, new FieldType.Bytes()));
        samples.add((Object) zeros);
        var zstd = new FormatOptions(Map.of(), Map.of("compression", "zstd"));
        Path packed = new Workshop(Formats.named(format), zstd, folder, seed.random()).pack(samples.build(), "zeros");
        try (Container container = Container.open(packed)) {
            MemorySegment value = container.value(0, 0);
            assertThat(value.byteSize()).isEqualTo(BYTES);
            assertThat(Checksum.of(value)).isEqualTo(Checksum.of(MemorySegment.ofArray(zeros)));
            assertThat(Verifier.verify(container, 2, new Progress()).isIntact()).isTrue();
        }
    }
}

package dev.stoker.formats.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.FormatContract;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of Stoker's own format with values that are compressed. */
class StkZstdContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new StkFormat();
    }

    @Override
    protected FormatOptions options() {
        return new FormatOptions(Map.of(), Map.of("compression", "zstd", "block", "8k"));
    }

    @Override
    public boolean isCompressed() {
        return true;
    }

    /** Not only values of any length are compressed. */
    @Test
    void arraysOfOneShapeAreCompressed(@TempDir Path folder) throws IOException {
        var type = new FieldType.Tensor(DType.UINT8, List.of(64L, 64L));
        var samples = MemorySamples.of(new Field("picture", type));
        for (int i = 0; i < 40; i++) {
            var picture = new byte[64 * 64];
            Arrays.fill(picture, (byte) i);
            samples.add((Object) picture);
        }
        var shop = new Workshop(format(), options(), folder, new Random(1));
        Path packed = shop.pack(samples.build(), "pictures");
        assertThat(Files.size(packed)).isLessThan(40 * 64 * 64 / 4);
        try (Container container = Container.open(packed)) {
            for (int i = 0; i < 40; i++) {
                assertThat(Same.bytes(container, i, 0)).hasSize(64 * 64).containsOnly(i);
            }
        }
    }

    /** A block has at most a gibibyte. */
    @Override
    public long hugeBytes() {
        return 0;
    }
}

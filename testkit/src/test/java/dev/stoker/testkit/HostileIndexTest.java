package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An Index that lies by accident, so that checksums notice. Those that lie on purpose are in the module fuzz. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileIndexTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @Test
    void everyFlippedBitOfAContainerIsNoticedOrHarmless() {
        Workshop shop = new Workshop(new StkFormat(), FormatOptions.NONE, folder, seed.random());
        MemorySamples samples = samples(shop, 3);
        Path place = shop.pack(samples, "flipped");
        flipEveryByte(place, place, samples);
    }

    @Test
    void everyFlippedBitOfASidecarIsNoticedOrHarmless() {
        Workshop shop = new Workshop(new PlainFormat(), FormatOptions.NONE, folder, seed.random());
        MemorySamples samples = samples(shop, 3);
        Path place = shop.pack(samples, "flipped");
        flipEveryByte(place, Sidecar.beside(place), samples);
    }

    private void flipEveryByte(Path place, Path file, MemorySamples samples) {
        byte[] good = Workshop.read(file);
        RandomGenerator random = seed.random();
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= (byte) (1 << random.nextInt(8));
            Workshop.write(file, bad);
            try (Container container = Container.open(place)) {
                if (Same.isIntact(container)) {
                    Same.assertSame(container, samples);
                }
            } catch (StokerException e) {
                assertThat(e).hasMessageContaining(String.valueOf(file.getFileName()));
            } catch (Throwable e) {
                throw new AssertionError("byte " + at, e);
            }
        }
    }

    private static MemorySamples samples(Workshop shop, int count) {
        var schema = new Schema(
                List.of(
                        new Field(Field.KEY, new FieldType.Text()),
                        new Field(Field.DATA, new FieldType.Bytes()),
                        new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                        new Field("box", new FieldType.Tensor(DType.FLOAT32, List.of(2L, 3L))),
                        new Field("mask", new FieldType.Array(DType.UINT16, 2))),
                List.of("cat", "dog"));
        return shop.randomSamples().next(schema, count);
    }
}

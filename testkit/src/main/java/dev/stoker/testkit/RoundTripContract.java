package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What goes in comes out: every value, whoever reads, and the same bytes whoever writes. */
interface RoundTripContract extends Contract {
    int READERS = 8;
    int READS = 2_000;

    /** Enough for several runs. */
    int MANY = 1_300;

    @Test
    default void randomSchemasComeBack() {
        Workshop shop = workshop();
        for (int round = 0; round < 25; round++) {
            MemorySamples samples = shop.randomSamples().next(shop.random().nextInt(30));
            assertComesBack(shop, samples);
        }
    }

    @Test
    default void manySamplesComeBack() {
        Workshop shop = workshop();
        assertComesBack(shop, shop.randomSamples().next(MANY));
    }

    @Test
    default void noSamplesComeBack() {
        Workshop shop = workshop();
        assertComesBack(shop, shop.randomSamples().next(usual(), 0));
    }

    @Test
    default void oneSampleComesBack() {
        Workshop shop = workshop();
        assertComesBack(shop, shop.randomSamples().next(usual(), 1));
    }

    @Test
    default void valuesOfNoBytesComeBack() {
        var samples = MemorySamples.of(usual());
        for (int i = 0; i < 5; i++) {
            samples.add("folder/empty " + i, new byte[0], 0L);
        }
        assertComesBack(workshop(), samples.build());
    }

    @Test
    default void everyNumberOfWorkersWritesTheSameBytes() {
        Workshop shop = workshop();
        MemorySamples samples = shop.randomSamples().next(MANY);
        var first = shop.files(shop.pack(samples, "first"));
        for (int workers : new int[] {1, 2, 7, 7}) {
            Path place = shop.place("workers-" + workers);
            shop.pack(samples, place, workers, Workshop.Existing.FORCE);
            var files = shop.files(place);
            assertThat(files.keySet()).isEqualTo(first.keySet());
            files.forEach((name, bytes) ->
                    assertThat(bytes).as("'%s' by %d workers", name, workers).isEqualTo(first.get(name)));
        }
    }

    @Test
    default void packingAContainerAgainWritesTheSameBytes() {
        Workshop shop = workshop();
        Path first = shop.pack(shop.randomSamples().next(50), "first");
        try (Container container = shop.open(first)) {
            Path second = shop.pack(container, "second");
            assertThat(shop.files(second)).containsExactlyInAnyOrderEntriesOf(shop.files(first));
        }
    }

    @Test
    default void manyReadersSeeTheSame() throws Exception {
        Workshop shop = workshop();
        MemorySamples samples = shop.randomSamples().next(usual(), 200);
        try (Container container = shop.open(shop.pack(samples, "shared"));
                var pool = Executors.newFixedThreadPool(READERS)) {
            var readers = new ArrayList<Callable<Boolean>>();
            for (int r = 0; r < READERS; r++) {
                long seed = shop.random().nextLong();
                readers.add(() -> readsRight(container, samples, seed));
            }
            for (Future<Boolean> reader : pool.invokeAll(readers)) {
                assertThat(reader.get()).isTrue();
            }
        }
    }

    private static boolean readsRight(Container container, MemorySamples samples, long seed) {
        var random = new SplittableRandom(seed);
        for (int n = 0; n < READS; n++) {
            long sample = random.nextLong(samples.count());
            int field = random.nextInt(samples.schema().size());
            assertThat(Same.bytes(container, sample, field)).isEqualTo(samples.bytes(sample, field));
            assertThat(container.isIntact(sample, field)).isTrue();
        }
        return true;
    }

    @Test
    default void aClosedContainerIsRefused() {
        Workshop shop = workshop();
        MemorySamples samples =
                MemorySamples.of(usual()).add("folder/a", new byte[100], 1L).build();
        Container container = shop.open(shop.pack(samples, "closed"));
        int data = container.schema().place(Field.DATA);
        container.close();
        container.close();
        assertThatThrownBy(() -> Same.bytes(container, 0, data))
                .isInstanceOfAny(IllegalStateException.class, StokerException.class);
        assertThatThrownBy(() -> container.isIntact(0, data))
                .isInstanceOfAny(IllegalStateException.class, StokerException.class);
    }

    /** Fields that every format has to hold. */
    private static Schema usual() {
        return new Schema(
                List.of(
                        new Field(Field.KEY, new FieldType.Text()),
                        new Field(Field.DATA, new FieldType.Bytes()),
                        new Field(Field.LABEL, new FieldType.Scalar(DType.INT64))),
                List.of("класс", "class b"));
    }

    private void assertComesBack(Workshop shop, MemorySamples samples) {
        Path place = shop.pack(samples, "container");
        try (Container container = Container.open(place)) {
            assertThat(container.format()).isEqualTo(shop.format().name());
            Same.assertSame(container, samples);
            assertThat(Same.isIntact(container)).isTrue();
        }
        Path sidecar = Sidecar.beside(place);
        if (shop.holdsItsIndex(samples)) {
            assertThat(sidecar).doesNotExist();
        } else if (shop.isFile()) {
            Workshop.delete(sidecar);
            try (Container container = shop.open(place)) {
                Same.assertSameFields(container, samples, field -> samples.count() > 0 && isHeldByTheContainer(field));
            }
        }
    }
}

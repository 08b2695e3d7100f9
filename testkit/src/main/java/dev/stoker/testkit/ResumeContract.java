package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.Workshop.Existing;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pack that stops in the middle leaves nothing under the final name, and goes on to the same bytes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
interface ResumeContract extends Contract {
    /** Enough for several runs. */
    int COUNT = 2_600;

    @Test
    default void anExistingContainerIsKept() {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, 3);
        Path place = shop.pack(samples, "there");
        Map<String, byte[]> before = shop.files(place);
        assertThatThrownBy(() -> shop.pack(samples(shop, 4), place, 2, Existing.REFUSE))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + place + "] already exists; use --force to overwrite it");
        for (int others : List.of(3, 4)) {
            assertThatThrownBy(() -> shop.pack(samples(shop, others), place, 2, Existing.RESUME))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining("[" + place + "] already exists and holds other samples: ")
                    .hasMessageContaining("--force");
        }
        assertSameFiles(shop.files(place), before);
        assertThat(shop.pack(samples(shop, 4), place, 2, Existing.FORCE).samples())
                .isEqualTo(4);
    }

    /** As when a job is run again that was killed behind its pack. */
    @Test
    default void aFinishedPackIsLeftAsItIs() {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, 30);
        Path place = shop.pack(samples, "finished");
        Map<String, byte[]> before = shop.files(place);
        var result = shop.pack(samples, place, 2, Existing.RESUME);
        assertThat(result.samples()).isEqualTo(30);
        assertThat(result.resumedRuns()).isEqualTo(result.runs());
        assertSameFiles(shop.files(place), before);
    }

    @Test
    default void aStoppedPackGoesOnToTheSameBytes() {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, COUNT);
        Map<String, byte[]> whole = shop.files(shop.pack(samples, "whole"));
        Path place = shop.place("stopped");
        for (int round = 0; round < 6; round++) {
            stop(shop, place, samples, shop.random().nextLong(samples.count()), 1 + round % 3);
            shop.pack(samples, place, 1 + round % 2, Existing.RESUME);
            assertSameFiles(shop.files(place), whole);
            forget(place);
        }
    }

    @Test
    default void aStoppedPackDoesNotDoItsWorkAgain() {
        assumeTrue(!isCompressed(), "what is compressed is compressed anew");
        Workshop shop = workshop();
        assumeTrue(shop.isFile(), "a folder is written anew");
        MemorySamples samples = samples(shop, COUNT);
        Path place = shop.place("late");
        stop(shop, place, samples, samples.count() - 1, 1);
        var result = shop.pack(samples, place, 2, Existing.RESUME);
        assertThat(result.resumedRuns()).isPositive().isLessThan(result.runs());
    }

    @Test
    default void nothingToResumeBeginsAnew() {
        Workshop shop = workshop();
        Path place = shop.place("new");
        assertThat(shop.pack(samples(shop, 3), place, 2, Existing.RESUME).resumedRuns())
                .isZero();
        assertThat(place).exists();
    }

    @Test
    default void whatAStoppedPackLeftIsNotTakenUnasked() {
        assumeTrue(!isCompressed(), "what is compressed is compressed anew");
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, COUNT);
        Path place = shop.place("left");
        stop(shop, place, samples, samples.count() / 2, 2);
        assertThatThrownBy(() -> shop.pack(samples, place, 2, Existing.REFUSE))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("--resume")
                .hasMessageContaining("--force");
        assertThat(shop.pack(samples, place, 2, Existing.FORCE).resumedRuns()).isZero();
    }

    @Test
    default void damageOfAStoppedPackIsRepaired() {
        assumeTrue(!isCompressed(), "what is compressed is compressed anew");
        Workshop shop = workshop();
        assumeTrue(shop.isFile(), "a folder is written anew");
        MemorySamples samples = samples(shop, COUNT);
        Map<String, byte[]> whole = shop.files(shop.pack(samples, "whole"));
        Plan plan = shop.format().plan(samples, shop.options());
        Path place = shop.place("damaged");
        for (int round = 0; round < 8; round++) {
            stop(shop, place, samples, samples.count() - 1, 1);
            Run run = plan.run(shop.random().nextInt(plan.runs()));
            damage(partial(place), run, shop);
            shop.pack(samples, place, 2, Existing.RESUME);
            assertSameFiles(shop.files(place), whole);
            forget(place);
        }
    }

    @Test
    default void aTornJournalDoesNoHarm() {
        assumeTrue(!isCompressed(), "what is compressed is compressed anew");
        Workshop shop = workshop();
        assumeTrue(shop.isFile(), "a folder is written anew");
        MemorySamples samples = samples(shop, COUNT / 4);
        Map<String, byte[]> whole = shop.files(shop.pack(samples, "whole"));
        Path place = shop.place("torn");
        stop(shop, place, samples, samples.count() - 1, 1);
        byte[] journal = Workshop.read(journal(place));
        byte[] partial = Workshop.read(partial(place));
        // Every place of a short journal, some two hundred of a long one.
        for (int size = 0; size < journal.length; size += 1 + shop.random().nextInt(1 + journal.length / 100)) {
            Workshop.write(journal(place), Arrays.copyOf(journal, size));
            Workshop.write(partial(place), partial);
            shop.pack(samples, place, 1, Existing.RESUME);
            assertSameFiles(shop.files(place), whole);
            forget(place);
        }
    }

    @Test
    default void samplesThatChangedBeginAnew() {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, COUNT);
        Path place = shop.place("changed");
        stop(shop, place, samples, samples.count() - 1, 1);
        MemorySamples others = samples(shop, COUNT);
        assertThat(shop.pack(others, place, 2, Existing.RESUME).resumedRuns()).isZero();
        assertSameFiles(shop.files(place), shop.files(shop.pack(others, "others")));
    }

    @Test
    default void twoPackersDoNotShareAnOutput() throws Exception {
        assumeTrue(!isCompressed(), "what is compressed is compressed anew");
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, 20);
        Path place = shop.place("contested");
        var reached = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        var slow = new StoppingSamples(samples, 3, () -> {
            reached.countDown();
            await(released);
        });
        try (var pool = Executors.newSingleThreadExecutor()) {
            var first = pool.submit(() -> shop.pack(slow, place, 1, Existing.REFUSE));
            await(reached);
            try {
                for (Existing existing : Existing.values()) {
                    assertThatThrownBy(() -> shop.pack(samples, place, 1, existing))
                            .isInstanceOf(StokerException.class);
                }
            } finally {
                released.countDown();
            }
            assertThat(first.get().samples()).isEqualTo(20);
        }
        assertSameFiles(shop.files(place), shop.files(shop.pack(samples, "alone")));
    }

    @Test
    default void anOutputThatAppearsMeanwhileIsKept() {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, 20);
        Path place = shop.place("appearing");
        byte[] others = {1, 2, 3};
        var watched = new StoppingSamples(samples, 3, () -> Workshop.write(place, others));
        assertThatThrownBy(() -> shop.pack(watched, place, 1, Existing.REFUSE))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(place.toString());
        assertThat(place).hasBinaryContent(others);
        assertThat(Sidecar.beside(place)).doesNotExist();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("waited too long");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Packs until so many values were read, and shows that nothing has its final name then. */
    private static void stop(Workshop shop, Path place, Samples samples, long reads, int workers) {
        assertThatThrownBy(() -> shop.pack(StoppingSamples.killed(samples, reads), place, workers, Existing.REFUSE))
                .isInstanceOf(StoppingSamples.Killed.class);
        assertThat(place).doesNotExist();
        assertThat(Sidecar.beside(place)).doesNotExist();
    }

    private static void forget(Path place) {
        Workshop.delete(place);
        Workshop.delete(Sidecar.beside(place));
        assertThat(partial(place)).doesNotExist();
        assertThat(journal(place)).doesNotExist();
    }

    private static void damage(Path partial, Run run, Workshop shop) {
        byte[] bytes = Workshop.read(partial);
        if (run.length() > 0) {
            int at = Math.toIntExact(run.offset() + shop.random().nextLong(run.length()));
            bytes[at] ^= (byte) (1 + shop.random().nextInt(255));
        }
        Workshop.write(partial, bytes);
    }

    private static Path partial(Path place) {
        return place.resolveSibling(place.getFileName() + ".partial");
    }

    private static Path journal(Path place) {
        return place.resolveSibling(place.getFileName() + ".partial.journal");
    }

    private static void assertSameFiles(Map<String, byte[]> actual, Map<String, byte[]> expected) {
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        actual.forEach((name, bytes) ->
                assertThat(Arrays.mismatch(bytes, expected.get(name))).as(name).isEqualTo(-1));
    }

    private static MemorySamples samples(Workshop shop, int count) {
        var schema = new Schema(List.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field("box", new FieldType.Tensor(DType.FLOAT64, List.of(4L))),
                new Field("mask", new FieldType.Array(DType.UINT8, 1))));
        return shop.randomSamples().next(schema, count);
    }
}

package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Formats;
import dev.stoker.io.FilePatch;
import dev.stoker.repair.Repair;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.verify.Verifier;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is damaged is found, and repaired from the source to the bytes that were there before. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
interface RepairContract extends Contract {
    int ROUNDS = 40;

    @Test
    default void everyPackedValueIsChecked() {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, 20);
        try (Container container = Container.openDamaged(shop.pack(samples, "whole"))) {
            Verifier.Report report = Verifier.verify(container, 2, new Progress());
            assertThat(report.isIntact()).as("%s", report.listed()).isTrue();
            assertThat(report.unchecked()).isZero();
            assertThat(report.checked())
                    .isEqualTo(samples.count() * samples.schema().size());
        }
    }

    /** One bit anywhere: either verifying finds it, and repairing undoes it, or it is in no value. */
    @Test
    default void aFlippedBitIsRepaired() throws IOException {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, shop.isFile() ? 700 : 40);
        Path place = shop.pack(samples, "flipped");
        SortedMap<String, byte[]> whole = shop.files(place);
        List<Path> files = files(shop, place);
        int repaired = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Path file = files.get(shop.random().nextInt(files.size()));
            Flip flip = Flip.random(file, shop.random());
            Repair.Result result = repair(shop, place, samples, true);
            if (result.before() != null && result.before().isIntact()) {
                flip.close();
                continue;
            }
            assertRepaired(result, flip.toString());
            assertSame(shop, place, whole, flip.toString());
            repaired++;
        }
        assertThat(repaired).isPositive();
    }

    /** The header of the Index and some bytes of the container: all of it is made again by the plan. */
    @Test
    default void damageOfIndexAndContainerIsRepaired() throws IOException {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, shop.isFile() ? 700 : 40);
        Path place = shop.pack(samples, "both");
        SortedMap<String, byte[]> whole = shop.files(place);
        boolean hasSidecar = Files.exists(sidecar(place));
        for (int round = 0; round < 4; round++) {
            var flips = new ArrayList<Flip>();
            flips.add(new Flip(
                    hasSidecar ? sidecar(place) : place, 16 + shop.random().nextInt(100), 0));
            for (Path file : own(shop, place)) {
                if (hasSidecar) {
                    flips.add(Flip.random(file, shop.random()));
                }
            }
            Repair.Result dry = repair(shop, place, samples, false);
            assertThat(dry.after()).isNull();
            assertThat(dry.patches().list()).isNotEmpty();
            Repair.Result result = repair(shop, place, samples, true);
            assertRepaired(result, flips.toString());
            assertThat(result.patches().bytes()).isEqualTo(dry.patches().bytes());
            assertSame(shop, place, whole, flips.toString());
        }
    }

    @Test
    default void whatIsMissingAtTheEndIsRepaired() throws IOException {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, 50);
        Path place = shop.pack(samples, "cut");
        SortedMap<String, byte[]> whole = shop.files(place);
        for (Path file : own(shop, place)) {
            // Of a container that holds its Index, the beginning of it proves what was packed.
            long kept = Files.exists(sidecar(place)) ? 0 : Files.size(file) / 2;
            cut(file, kept + shop.random().nextLong(Files.size(file) - kept));
        }
        assertRepaired(repair(shop, place, samples, true), "cut");
        assertSame(shop, place, whole, "cut");
    }

    /** Without any part of its Index nothing proves what a container held. */
    @Test
    default void whatHasLostItsIndexIsRefused() throws IOException {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, 50);
        Path place = shop.pack(samples, "lost");
        Path index = Files.exists(sidecar(place)) ? sidecar(place) : place;
        cut(index, 10);
        Flip.random(own(shop, place).getFirst(), shop.random());
        SortedMap<String, byte[]> damaged = shop.files(place);
        Repair.Result result = repair(shop, place, samples, true);
        assertThat(result.obstacle()).contains("cannot be repaired in place");
        assertSame(shop, place, damaged, "refused");
    }

    private static void cut(Path file, long length) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    @Test
    default void anotherSourceIsRefused() throws IOException {
        Workshop shop = workshop();
        MemorySamples samples = samples(shop, 30);
        Path place = shop.pack(samples, "other");
        for (Path file : files(shop, place)) {
            for (int n = 0; n < 20; n++) {
                Flip.random(file, shop.random());
            }
        }
        SortedMap<String, byte[]> damaged = shop.files(place);
        Repair.Result result = repair(shop, place, samples(shop, 30), true);
        assertThat(result.obstacle()).contains("cannot be repaired in place");
        assertThat(result.patches().list().stream().map(FilePatch::path).toList())
                .isEmpty();
        assertSame(shop, place, damaged, "refused");
    }

    private static Path sidecar(Path place) {
        return Sidecar.beside(Formats.fileOf(place));
    }

    /** The container's own files that are not empty. */
    private static List<Path> own(Workshop shop, Path place) throws IOException {
        var files = new ArrayList<Path>();
        for (Path file : shop.paths(place)) {
            if (Files.size(file) > 0 && !file.equals(sidecar(place))) {
                files.add(file);
            }
        }
        return files;
    }

    private static List<Path> files(Workshop shop, Path place) throws IOException {
        List<Path> files = own(shop, place);
        if (Files.exists(sidecar(place))) {
            files.add(sidecar(place));
        }
        return files;
    }

    private static Repair.Result repair(Workshop shop, Path place, Samples samples, boolean write) {
        return new Repair(place, samples, shop.options(), 2, new Progress()).run(write);
    }

    private static void assertRepaired(Repair.Result result, String what) {
        assertThat(result.obstacle()).as(what).isNull();
        assertThat(Objects.requireNonNull(result.after(), what).listed())
                .as(what)
                .isEmpty();
    }

    private static void assertSame(Workshop shop, Path place, SortedMap<String, byte[]> expected, String what) {
        SortedMap<String, byte[]> actual = shop.files(place);
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        actual.forEach((name, bytes) -> assertThat(Arrays.mismatch(bytes, expected.get(name)))
                .as("%s after %s", name, what)
                .isEqualTo(-1));
    }

    private static MemorySamples samples(Workshop shop, int count) {
        var schema = new Schema(
                List.of(
                        new Field(Field.KEY, new FieldType.Text()),
                        new Field(Field.DATA, new FieldType.Bytes()),
                        new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                        new Field("box", new FieldType.Tensor(DType.FLOAT64, List.of(4L))),
                        new Field("mask", new FieldType.Array(DType.UINT8, 2))),
                List.of("cat", "dog"));
        return shop.randomSamples().next(schema, count);
    }
}

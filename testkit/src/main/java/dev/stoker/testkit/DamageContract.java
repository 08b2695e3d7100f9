package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.container.ValueLocation;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.io.Checksum;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A damaged container never gives wrong bytes unnoticed, and never anything but a {@link StokerException}: whatever is
 * not noticed by opening, {@link dev.stoker.index.Index#verify} and the checksums has changed no value.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
interface DamageContract extends Contract {
    int FLIPS = 200;

    /** Up to here every truncation is tried, beyond it a choice. */
    int EVERY = 4_000;

    @Test
    default void everyTruncationIsNoticed() throws Exception {
        Workshop shop = workshop();
        Path place = shop.pack(small(shop, 6), "cut");
        assumeTrue(shop.isFile(), "a folder is not cut");
        try (var file = FileChannel.open(place, StandardOpenOption.WRITE)) {
            for (long size = file.size() - 1; size >= 0; size = nextCut(shop, size)) {
                file.truncate(size);
                assertThat(isNoticed(shop, place)).as("cut to %d bytes", size).isTrue();
            }
        }
    }

    /** Without its checksums too: either the container is refused, or every value that it holds is right. */
    @Test
    default void everyTruncationIsNoticedWithoutSidecar() throws Exception {
        Workshop shop = workshop();
        MemorySamples samples = small(shop, 6);
        Path place = shop.pack(samples, "cut");
        Path sidecar = Sidecar.beside(place);
        assumeTrue(Files.exists(sidecar) && shop.isFile(), "the format has its Index in itself, or is a folder");
        try (var file = FileChannel.open(place, StandardOpenOption.WRITE)) {
            for (long size = file.size() - 1; size >= 0; size = nextCut(shop, size)) {
                file.truncate(size);
                Files.deleteIfExists(sidecar);
                try (Container container = shop.open(place)) {
                    Same.assertSameFields(container, samples, this::isHeldByTheContainer);
                } catch (StokerException e) {
                    assertThat(e).hasMessageContaining(String.valueOf(place.getFileName()));
                } catch (Throwable e) {
                    throw new AssertionError("cut to " + size + " bytes", e);
                }
            }
        }
    }

    private static long nextCut(Workshop shop, long size) {
        return size > EVERY ? Math.max(EVERY, size - 1 - shop.random().nextLong(size / 200 + 1)) : size - 1;
    }

    @Test
    default void everyFlippedBitIsNoticedOrHarmless() throws Exception {
        Workshop shop = workshop();
        // More than the head and tail by which a sidecar knows its container, so that checksums have to notice.
        MemorySamples samples = small(shop, shop.isFile() ? 1_100 : 25);
        Path place = shop.pack(samples, "flipped");
        List<Path> files = shop.paths(place).stream()
                .filter(file -> file.toFile().length() > 0)
                .toList();
        for (int n = 0; n < FLIPS; n++) {
            Path file = files.get(shop.random().nextInt(files.size()));
            assertFlipIsNoticedOrHarmless(shop, place, file, samples);
        }
        Path sidecar = Sidecar.beside(place);
        for (int n = 0; n < FLIPS / 4 && Files.exists(sidecar); n++) {
            assertFlipIsNoticedOrHarmless(shop, place, sidecar, samples);
        }
    }

    /** Whoever packs a container again must not give damaged values fresh checksums. */
    @Test
    default void aDamagedValueIsNotPassedOn() {
        Workshop shop = workshop();
        var others = new Workshop(new StkFormat(), FormatOptions.NONE, shop.folder(), shop.random());
        Path source = others.pack(small(shop, 6), "source");
        var inIndex = new ArrayList<String>();
        try (Container container = Container.openToCopy(source)) {
            for (int f = 0; f < container.schema().size(); f++) {
                if (container.column(f).hasChecksums()) {
                    assertDamageIsNotPassedOn(shop, container, f);
                } else {
                    assertDamageOfIndexIsRefused(source, container, f);
                    inIndex.add(container.schema().fields().get(f).name());
                }
            }
            Same.assertSame(shop.open(shop.pack(container, "undamaged")), container);
        }
        assertThat(inIndex).containsExactly(Field.KEY, Field.LABEL);
    }

    private static void assertDamageIsNotPassedOn(Workshop shop, Container container, int field) {
        String name = container.schema().fields().get(field).name();
        long sample = firstWithBytes(container, field);
        try (var flip = flipped(container, sample, field)) {
            assertThatThrownBy(() -> shop.pack(container, "of-" + name))
                    .as("%s", flip)
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining(container.describe(sample) + ", field '" + name
                            + "': the checksum does not match; the value is damaged");
        }
    }

    /** Keys and numbers are in the Index alone, which is compared with its checksums when it is opened. */
    private static void assertDamageOfIndexIsRefused(Path source, Container container, int field) {
        try (var flip = flipped(container, firstWithBytes(container, field), field)) {
            assertThatThrownBy(() -> Container.openToCopy(source).close())
                    .as("%s", flip)
                    .isInstanceOf(StokerException.class)
                    .hasMessageMatching(Pattern.quote("[" + source.getFileName())
                            + "] byte \\d+: the checksum of section VALUES of" + " field '"
                            + container.schema().fields().get(field).name() + "' does not match");
        }
    }

    private static Flip flipped(Container container, long sample, int field) {
        ValueLocation place = Objects.requireNonNull(container.place(sample, field, 0));
        return new Flip(place.file(), place.offset() + place.length() - 1, 0);
    }

    private static long firstWithBytes(Container container, int field) {
        long sample = 0;
        while (container.length(sample, field) == 0) {
            sample++;
        }
        return sample;
    }

    /** Without checksums nobody can tell a changed pixel, but a changed frame must not lead astray. */
    @Test
    default void noFlippedBitBreaksTheReader() throws Exception {
        Workshop shop = workshop();
        Path place = shop.pack(small(shop, 12), "flipped");
        Path sidecar = Sidecar.beside(place);
        assumeTrue(Files.exists(sidecar) && shop.isFile(), "the format has its Index in itself, or is a folder");
        for (int n = 0; n < FLIPS; n++) {
            Files.deleteIfExists(sidecar);
            try (var flip = Flip.random(place, shop.random());
                    Container container = shop.open(place)) {
                readAll(container);
            } catch (StokerException e) {
                assertThat(e).hasMessageContaining(String.valueOf(place.getFileName()));
            }
        }
    }

    private static void assertFlipIsNoticedOrHarmless(Workshop shop, Path place, Path file, MemorySamples samples)
            throws Exception {
        try (var flip = Flip.random(file, shop.random())) {
            try {
                if (!isNoticed(shop, place)) {
                    try (Container container = shop.open(place)) {
                        Same.assertSame(container, samples);
                    }
                }
            } catch (Throwable e) {
                throw new AssertionError(flip + " of " + file.getFileName(), e);
            }
        }
    }

    /** Whether opening or a checksum tells that something is wrong; any other exception is a failure. */
    private static boolean isNoticed(Workshop shop, Path place) {
        try (Container container = shop.open(place)) {
            readAll(container);
            return !Same.isIntact(container);
        } catch (StokerException e) {
            return true;
        }
    }

    private static void readAll(Container container) {
        // Bounds what a hostile number of samples can cost; the small containers of these tests have fewer.
        long count = Math.min(container.count(), 10_000);
        for (int f = 0; f < container.schema().size(); f++) {
            for (long i = 0; i < count; i++) {
                Checksum.of(container.value(i, f));
                container.length(i, f);
                if (container.schema().type(f) instanceof FieldType.Array) {
                    container.shape(i, f);
                }
            }
        }
    }

    private static MemorySamples small(Workshop shop, int count) {
        var schema = new Schema(
                List.of(
                        new Field(Field.KEY, new FieldType.Text()),
                        new Field(Field.DATA, new FieldType.Bytes()),
                        new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                        new Field("captions", new FieldType.Texts()),
                        new Field("box", new FieldType.Tensor(DType.FLOAT32, List.of(2L, 3L))),
                        new Field("mask", new FieldType.Array(DType.UINT16, 2))),
                List.of("cat", "dog"));
        return shop.randomSamples().next(schema, count);
    }
}

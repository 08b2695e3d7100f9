package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Formats;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Who edits a packed container by another tool gets the new values or a refusal, never the old ones. The edit is what
 * differs between two containers of the same samples with other labels, written in place.
 */
interface EditContract extends Contract {
    /** Fewer in a folder, where each may be a file. */
    private static int count(Workshop shop) {
        return shop.isFile() ? 3_000 : 300;
    }

    private static boolean isEdited(long sample, long count) {
        return sample > count / 3 && sample < count / 2;
    }

    @Test
    default void anEditInPlaceIsNeverAnsweredWithTheOldValues() throws IOException {
        Workshop shop = workshop();
        Path place = packed(shop, 0, "edited");
        Map<Path, FileTime> times = times(shop, place);
        boolean isHeld = edit(shop, place, packed(shop, 7, "other"));
        long expected = isHeld ? 7 : 0;
        assertLabels(isHeld, expected, () -> shop.open(place));
        assertLabels(isHeld, expected, () -> Container.openToCopy(place));
        Path copy = copied(shop, place, "copied-edit");
        assertLabels(isHeld, expected, () -> shop.open(copy));
        for (var time : times.entrySet()) {
            Files.setLastModifiedTime(time.getKey(), time.getValue());
        }
        assertLabels(isHeld, expected, () -> Container.openToCopy(place));
    }

    @Test
    default void aCopyWithoutItsTimesIsComparedOnce() throws IOException {
        Workshop shop = workshop();
        Path place = packed(shop, 0, "original");
        assumeTrue(Files.exists(sidecar(place)), "the format has its Index in itself");
        assumeTrue(!isTree(shop, place), "a folder of samples has nothing that the Index copies");
        Path copy = copied(shop, place, "copy");
        assertThat(isTied(shop, copy)).isFalse();
        assertLabels(false, 0, () -> shop.open(copy));
        assertThat(isTied(shop, copy)).isTrue();
        assertLabels(false, 0, () -> shop.open(copy));
    }

    @Test
    default void aDifferenceIsNamed() throws IOException {
        Workshop shop = workshop();
        Path place = packed(shop, 0, "named");
        assumeTrue(Files.exists(sidecar(place)), "the format has its Index in itself");
        assumeTrue(edit(shop, place, packed(shop, 7, "other")), "the format does not hold labels");
        assertThatThrownBy(() -> shop.open(place).close())
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("[" + Formats.fileOf(place) + "]")
                .hasMessageMatching("(?s).*(--force|delete \\[|fits).*");
    }

    private static Path packed(Workshop shop, long label, String name) {
        var builder = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
        int count = count(shop);
        // Together more than the head and tail by which a sidecar knows its container.
        byte[] data = new byte[300_000 / count];
        Arrays.fill(data, (byte) 1);
        for (int i = 0; i < count; i++) {
            builder.add(String.format("a/%05d.bin", i), data, isEdited(i, count) ? label : 3L);
        }
        try {
            return shop.pack(builder.build(), name);
        } catch (StokerException e) {
            assumeTrue(false, () -> "the format does not take these samples: " + e.getMessage());
            throw e;
        }
    }

    /** Whether anything was written. */
    private static boolean edit(Workshop shop, Path place, Path other) {
        boolean isEdited = false;
        for (Path file : shop.paths(place)) {
            Path same = other.resolve(place.relativize(file).toString());
            byte[] after = Workshop.read(file.equals(place) ? other : same);
            if (!file.toString().endsWith(Sidecar.ENDING) && !Arrays.equals(Workshop.read(file), after)) {
                Workshop.write(file, after);
                isEdited = true;
            }
        }
        return isEdited;
    }

    private static void assertLabels(boolean mayRefuse, long expected, Supplier<Container> opening) {
        try (Container container = opening.get()) {
            int label = container.schema().place(Field.LABEL);
            for (long i = 0; i < container.count(); i++) {
                assertThat(container.value(i, label).get(LittleEndian.U64, 0))
                        .isEqualTo(isEdited(i, container.count()) ? expected : 3L);
            }
        } catch (StokerException e) {
            assertThat(mayRefuse).as(e.getMessage()).isTrue();
        }
    }

    private static boolean isTree(Workshop shop, Path place) {
        try (Container container = shop.open(place)) {
            return !shop.isFile()
                    && container.place(0, container.schema().place(Field.DATA), 0) != null
                    && !container.isInBlocks(container.schema().place(Field.DATA));
        }
    }

    private static Path sidecar(Path place) {
        return Sidecar.beside(Formats.fileOf(place));
    }

    private static Map<Path, FileTime> times(Workshop shop, Path place) throws IOException {
        var times = new HashMap<Path, FileTime>();
        for (Path file : shop.paths(place)) {
            times.put(file, Files.getLastModifiedTime(file));
        }
        return times;
    }

    private static Path copied(Workshop shop, Path place, String name) throws IOException {
        Path copy = shop.place(name);
        for (Path file : shop.paths(place)) {
            Path to = file.equals(place)
                    ? copy
                    : copy.resolve(place.relativize(file).toString());
            Files.createDirectories(to.getParent());
            Files.copy(file, to);
        }
        if (Files.exists(Sidecar.beside(place))) {
            Files.copy(Sidecar.beside(place), Sidecar.beside(copy));
        }
        return copy;
    }

    /** Whether the Index is older than its container by whole seconds, as one is that was compared with it. */
    private static boolean isTied(Workshop shop, Path place) throws IOException {
        List<FileTime> times = times(shop, place).entrySet().stream()
                .filter(file -> !file.getKey().toString().endsWith(Sidecar.ENDING))
                .map(Map.Entry::getValue)
                .sorted()
                .toList();
        Duration between = Duration.between(
                Files.getLastModifiedTime(sidecar(place)).toInstant(),
                times.getLast().toInstant());
        return between.getNano() == 0 && between.getSeconds() >= 1 && between.getSeconds() <= 3600;
    }
}

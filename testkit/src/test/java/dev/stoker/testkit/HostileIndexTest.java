package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.StokerException;
import dev.stoker.format.Container;
import dev.stoker.format.Options;
import dev.stoker.format.Sidecar;
import dev.stoker.format.StkFormat;
import dev.stoker.memory.Checksum;
import dev.stoker.memory.Layouts;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An Index that lies: by accident, so that checksums notice, or on purpose, with checksums that fit. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileIndexTest {
    private static final int HEADER = 128;
    private static final int ENTRY = 32;
    private static final String[] LIES = {
        "0",
        "-1",
        "1",
        "64",
        "4096",
        "2147483648",
        "9223372036854775807",
        "-9223372036854775808",
        "true",
        "null",
        "\"\"",
        "\"tree\"",
        "\"file\"",
        "\"index\"",
        "\"key\"",
        "\"bytes\"",
        "\"int8\"",
        "\"int64[*]\"",
        "\"bool[0,9]\""
    };

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @Test
    void everyFlippedBitOfAContainerIsNoticedOrHarmless() {
        Workshop shop = new Workshop(new StkFormat(), Options.NONE, folder, seed.random());
        MemorySamples samples = samples(shop, 3);
        Path place = shop.pack(samples, "flipped");
        flipEveryByte(place, place, samples);
    }

    @Test
    void everyFlippedBitOfASidecarIsNoticedOrHarmless() {
        Workshop shop = new Workshop(new PlainFormat(), Options.NONE, folder, seed.random());
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

    @Test
    void aForgedContainerIsRefusedOrReadWithinItsBounds() {
        Workshop shop = new Workshop(new StkFormat(), Options.NONE, folder, seed.random());
        Path place = shop.pack(samples(shop, 5), "forged");
        forge(place, place);
    }

    @Test
    void aForgedSidecarIsRefusedOrReadWithinItsBounds() {
        Workshop shop = new Workshop(new PlainFormat(), Options.NONE, folder, seed.random());
        Path place = shop.pack(samples(shop, 5), "forged");
        forge(place, Sidecar.beside(place));
    }

    private void forge(Path place, Path file) {
        byte[] good = Workshop.read(file);
        RandomGenerator random = seed.random();
        for (int n = 0; n < 2_000; n++) {
            byte[] bad = random.nextInt(3) == 0 ? lieInMeta(good, random) : lieInTables(good, random);
            Workshop.write(file, bad);
            try (Container container = Container.open(place)) {
                use(container);
            } catch (StokerException e) {
                assertThat(e.getMessage()).startsWith("[");
            } catch (Throwable e) {
                throw new AssertionError("forgery " + n, e);
            }
        }
    }

    /** Everything that a reader may do with a container. */
    private static void use(Container container) {
        long count = Math.min(100, container.count());
        for (int f = 0; f < container.schema().size(); f++) {
            container.column(f).dense();
            for (long i = 0; i < count; i++) {
                assertThat(container.length(i, f)).isNotNegative();
                container.value(i, f);
                container.isIntact(i, f);
                if (container.schema().type(f) instanceof FieldType.Array) {
                    container.shape(i, f);
                }
            }
        }
        container.index().verify();
    }

    /** Another number in the header or the section table. */
    private static byte[] lieInTables(byte[] good, RandomGenerator random) {
        byte[] bad = good.clone();
        MemorySegment bytes = MemorySegment.ofArray(bad);
        int sections = bytes.get(Layouts.U32, 40);
        int words = (HEADER + ENTRY * sections) / 4;
        for (int lies = 1 + random.nextInt(2); lies > 0; lies--) {
            long at = 8 + 4L * random.nextInt(words - 2);
            switch (random.nextInt(5)) {
                case 0 -> bytes.set(Layouts.U32, at, random.nextInt());
                case 1 -> bytes.set(Layouts.U32, at, bytes.get(Layouts.U32, at) + random.nextInt(17) - 8);
                case 2 -> bytes.set(Layouts.U32, at, random.nextInt(8) - 1);
                case 3 -> bytes.set(Layouts.U64, at, Long.MAX_VALUE - random.nextInt(64));
                default -> bytes.set(Layouts.U64, at, bytes.get(Layouts.U64, at) ^ (1L << random.nextInt(64)));
            }
        }
        return signed(bad, sections);
    }

    /** Another value in META, of the same length so that everything else stays in its place. */
    private static byte[] lieInMeta(byte[] good, RandomGenerator random) {
        MemorySegment bytes = MemorySegment.ofArray(good.clone());
        int sections = bytes.get(Layouts.U32, 40);
        long offset = bytes.get(Layouts.U64, HEADER + 8);
        int length = Math.toIntExact(bytes.get(Layouts.U64, HEADER + 16));
        String meta = new String(good, (int) offset, length, StandardCharsets.UTF_8);
        String[] parts = meta.split("(?<=:)|(?=[,}\\]])", -1);
        int part = random.nextInt(parts.length);
        String lie = random.nextBoolean() ? LIES[random.nextInt(LIES.length)] : parts[random.nextInt(parts.length)];
        String told = meta.substring(
                        0, String.join("", List.of(parts).subList(0, part)).length())
                + lie
                + String.join("", List.of(parts).subList(part + 1, parts.length));
        byte[] json = told.getBytes(StandardCharsets.UTF_8);
        // The gap behind META takes what is longer.
        int room = (length + 63) / 64 * 64;
        if (json.length > room) {
            return good;
        }
        byte[] bad = bytes.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        System.arraycopy(json, 0, bad, (int) offset, json.length);
        MemorySegment.ofArray(bad).set(Layouts.U64, HEADER + 16, json.length);
        return signed(bad, sections);
    }

    /** Gives sections, table and header the checksums that fit them. */
    private static byte[] signed(byte[] bad, int sections) {
        MemorySegment bytes = MemorySegment.ofArray(bad);
        for (int s = 0; s < sections; s++) {
            long entry = HEADER + (long) ENTRY * s;
            long offset = bytes.get(Layouts.U64, entry + 8);
            long length = bytes.get(Layouts.U64, entry + 16);
            boolean isInside = offset >= 0 && length >= 0 && offset <= bad.length - length;
            if (isInside && bytes.get(Layouts.U32, entry + 24) != 0) {
                bytes.set(Layouts.U32, entry + 24, Checksum.of(bytes.asSlice(offset, length)));
            }
        }
        bytes.set(Layouts.U32, 44, Checksum.of(bytes.asSlice(HEADER, (long) ENTRY * sections)));
        bytes.set(Layouts.U32, 124, Checksum.of(bytes.asSlice(0, 124)));
        return bad;
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

package dev.stoker.formats.zarr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metadata that lies, and damaged files: refused with a sentence, or read; never anything else. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ZarrHostileTest {
    private static final String ARRAY = """
            {"zarr_format": 3, "node_type": "array", "shape": [4, 5], "data_type": "int32",
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 5]}},
             "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
             "fill_value": 0, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "attributes": {}}
            """;
    private static final int TRIES = 1500;
    private static final long MAX_CPU_NANOS = 6_000_000_000L;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private Path array(String json) throws IOException {
        Path place = folder.resolve("hostile.zarr");
        Files.createDirectories(place.resolve("c/0"));
        Files.createDirectories(place.resolve("c/1"));
        Files.writeString(place.resolve("zarr.json"), json);
        Files.write(place.resolve("c/0/0"), new byte[40]);
        Files.write(place.resolve("c/1/0"), new byte[40]);
        return place;
    }

    @Test
    void theArrayItselfIsRead() throws IOException {
        try (Container container = Container.open(array(ARRAY))) {
            assertThat(container.count()).isEqualTo(4);
            assertThat(container.value(3, 0).byteSize()).isEqualTo(20);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[4, 5] | [4611686018427387904, 4611686018427387904] | 2^63",
                "[4, 5] | [4000000000000, 5] | cannot hold 4000000000000 samples",
                "[4, 5] | [4, 4000000000] | chunks that would have to be decoded",
                "[4, 5] | [4, -5] | whole numbers of at least 0",
                "[4, 5] | [4, 5.5] | whole numbers of at least 0",
                "[4, 5] | {} | a list of at most 32 numbers",
                "[2, 5] | [0, 5] | at least 1 for each of 2",
                "[2, 5] | [2] | at least 1 for each of 2",
                "[2, 5] | [4611686018427387904, 4611686018427387904] | 2^63",
                "[2, 5] | [2, 2000000000] | should have 16000000000 bytes but has 40",
                "int32 | complex64 | left out: / (array of type complex64): fields have no such type",
                "regular | rectilinear | chunk grid 'rectilinear'",
                "default | strange | by 'strange'",
                "\"/\" | \"..\" | '/' or '.'",
                "0, \"codecs\" | \"x\", \"codecs\" | whole number",
                "{\"name\": \"bytes\" | {\"name\": \"pcodec\" | codec 'pcodec'",
                "{\"name\": \"bytes\" | \"gzip\", \"zstd\", {\"name\": \"bytes\" | more than once",
                "{\"name\": \"bytes\" | {\"name\": \"transpose\", \"configuration\": {\"order\": [0, 0]}}, {\"name\": \"bytes\" | every dimension once",
                "{\"name\": \"bytes\" | {\"name\": \"sharding_indexed\", \"configuration\": {\"chunk_shape\": [3, 5], \"codecs\": []}}, {\"name\": \"bytes\" | shards within other codecs",
                "\"array\" | 7 | node_type"
            })
    void metadataThatLiesIsRefused(String from, String to, String sentence) throws IOException {
        assertThat(ARRAY).contains(from);
        Path place = array(ARRAY.replace(from, to));
        assertThatThrownBy(() -> readAll(place))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("hostile.zarr")
                .hasMessageContaining(sentence);
    }

    @Test
    void deepAndLongMetadataIsRefused() throws IOException {
        for (String json : List.of("[".repeat(100_000), "{\"a\":".repeat(70) + "1" + "}".repeat(70), "{")) {
            Path place = array(json);
            assertThatThrownBy(() -> Container.open(place)).isInstanceOf(StokerException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"../x", "/etc", "a/../b", "a//b", "."})
    void pathsThatLeaveTheFolderAreRefused(String path) throws IOException {
        Path place =
                array("{\"zarr_format\": 3, \"node_type\": \"group\", \"attributes\": {}, \"consolidated_metadata\":"
                        + " {\"kind\": \"inline\", \"metadata\": {\"" + path + "\": " + ARRAY + "}}}");
        assertThatThrownBy(() -> Container.open(place))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("which is not a path in it");
    }

    @Test
    void chunksOfTheWrongLengthAreRefused() throws IOException {
        Path place = array(ARRAY);
        Files.write(place.resolve("c/1/0"), new byte[39]);
        assertThatThrownBy(() -> readAll(place))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("39");
    }

    private Path group(String name, String array, int arrays) throws IOException {
        Path place = folder.resolve(name);
        Files.createDirectories(place);
        Files.writeString(
                place.resolve("zarr.json"), "{\"zarr_format\": 3, \"node_type\": \"group\", \"attributes\": {}}");
        for (int i = 0; i < arrays; i++) {
            Files.createDirectories(place.resolve("n" + i));
            Files.writeString(place.resolve("n" + i + "/zarr.json"), array);
        }
        return place;
    }

    private static void assertRefused(Path place, String sentence) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThatThrownBy(() -> readAll(place))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("hostile.zarr")
                .hasMessageContaining(sentence);
        long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        assertThat(took).as("nanoseconds").isLessThan(MAX_CPU_NANOS);
    }

    /** Twenty arrays of four million chunks that are not there took gigabytes: each array alone was not too large. */
    @Test
    void chunksThatWereNeverWrittenAreCountedOverAllArrays() throws IOException {
        String array = ARRAY.replace("[4, 5]", "[600000]").replace("[2, 5]", "[1]");
        assertRefused(group("hostile.zarr", array, 20), "too many chunks that were never written");
        assertRefused(zip(group("zipped", array, 20), "hostile.zarr.zip"), "too many chunks that were never written");
    }

    /** The Index keeps values of these types itself. */
    @ParameterizedTest
    @CsvSource({"bool, false, 1", "bool, false, 30000000", "string, \"\", 10000000"})
    void valuesThatWereNeverWrittenAreCountedOverAllArrays(String type, String fill, int chunk) throws IOException {
        String array = ARRAY.replace("[4, 5]", "[10000000]")
                .replace("[2, 5]", "[" + chunk + "]")
                .replace("int32", type)
                .replace("\"fill_value\": 0", "\"fill_value\": " + fill);
        if (type.equals("string")) {
            array = array.replace(
                    "{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}", "\"vlen-utf8\"");
        }
        assertRefused(group("hostile.zarr", array, 20), chunk == 1 ? "never written" : "far more memory");
    }

    /** Places of values that lie one after another are not kept one by one. */
    @Test
    void aLargeArrayThatWasNeverWrittenIsRead() throws IOException {
        String array = ARRAY.replace("[4, 5]", "[20000000, 64]").replace("[2, 5]", "[100000, 64]");
        try (Container container = Container.open(group("sparse.zarr", array, 3))) {
            assertThat(container.count()).isEqualTo(20_000_000);
            assertThat(container.value(19_999_999, 2).byteSize()).isEqualTo(256);
        }
    }

    private Path zip(Path from, String name) throws IOException {
        Path zip = folder.resolve(name);
        try (Stream<Path> all = Files.walk(from);
                var out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                var entry = new ZipEntry(from.relativize(file).toString());
                var crc = new CRC32();
                crc.update(bytes);
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(bytes.length);
                entry.setCrc(crc.getValue());
                out.putNextEntry(entry);
                out.write(bytes);
            }
        }
        return zip;
    }

    /** Blocks of 16 bytes, and one stored part of 400 KB that makes as many: all of them are said to be there. */
    @Test
    void blocksOfBloscThatShareTheirBytesAreRefused() throws IOException {
        int blocks = 60_000;
        int blockBytes = 16;
        byte[] zlib = longZlib(blockBytes, 80_000);
        int first = 16 + 4 * blocks;
        ByteBuffer frame = ByteBuffer.allocate(first + 4 + zlib.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.put(new byte[] {2, 1, 3 << 5 | 16, 1}).putInt(blocks * blockBytes).putInt(blockBytes);
        frame.putInt(frame.capacity());
        for (int i = 0; i < blocks; i++) {
            frame.putInt(first);
        }
        frame.putInt(zlib.length).put(zlib);
        Path place = folder.resolve("hostile.zarr");
        Files.createDirectories(place);
        Files.writeString(place.resolve(".zarray"), """
                {"zarr_format": 2, "shape": [960000], "chunks": [960000], "dtype": "|u1", "fill_value": 0, "order": "C",
                 "filters": null,
                 "compressor": {"id": "blosc", "cname": "zlib", "clevel": 5, "shuffle": 0, "blocksize": 0}}
                """);
        Files.write(place.resolve("0"), frame.array());
        assertRefused(place, "the parts of a frame of Blosc lie in each other");
    }

    /** Zeros behind many stored blocks that are empty. */
    private static byte[] longZlib(int bytes, int empty) {
        ByteBuffer zlib = ByteBuffer.allocate(2 + 5 * empty + 5 + bytes + 4).order(ByteOrder.LITTLE_ENDIAN);
        zlib.put(new byte[] {0x78, 1});
        for (int i = 0; i < empty; i++) {
            zlib.put(new byte[] {0, 0, 0, -1, -1});
        }
        zlib.put((byte) 1).putShort((short) bytes).putShort((short) ~bytes).put(new byte[bytes]);
        var adler = new Adler32();
        adler.update(new byte[bytes]);
        return zlib.order(ByteOrder.BIG_ENDIAN).putInt((int) adler.getValue()).array();
    }

    @ParameterizedTest
    @CsvSource({"c/1/0", "c/1", "c", "zarr.json"})
    void linksThatLeadOutOfTheFolderAreNotFollowed(String link) throws IOException {
        Path place = array(ARRAY);
        Path outside = folder.resolve("outside");
        Files.createDirectories(outside);
        Path moved = Files.move(place.resolve(link), outside.resolve("moved"));
        Files.createSymbolicLink(place.resolve(link), moved);
        assertRefused(place, "a link leads out of it");
    }

    @Test
    void groupsThatAreLinksOutOfTheFolderAreNotFollowed() throws IOException {
        Path other = group("other.zarr", ARRAY, 1);
        Path place = group("hostile.zarr", ARRAY, 0);
        Files.createSymbolicLink(place.resolve("n0"), other.resolve("n0"));
        assertRefused(place, "a link leads out of it");
    }

    /** Links in a container, and to it, are its owner's business. */
    @Test
    void linksWithinTheFolderAndToItAreFollowed() throws IOException {
        Path place = array(ARRAY);
        Files.createDirectories(place.resolve("kept"));
        Files.move(place.resolve("c"), place.resolve("kept/chunks"));
        Files.createSymbolicLink(place.resolve("c"), Path.of("kept/chunks"));
        Files.delete(place.resolve("kept/chunks/1/0"));
        Files.createSymbolicLink(place.resolve("kept/chunks/1/0"), Path.of("../0/0"));
        Path link = Files.createSymbolicLink(folder.resolve("link.zarr"), place);
        try (Container container = Container.open(link)) {
            assertThat(container.count()).isEqualTo(4);
            assertThat(container.value(3, 0).byteSize()).isEqualTo(20);
        }
    }

    /** In folders nothing has a checksum, so that damage gets everywhere. */
    @Test
    void damagedFoldersAreReadOrRefused() throws IOException {
        ZarrToPythonTest.SCRIPTS.run("zarr_write.py", folder, "folder");
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        RandomGenerator random = seed.random();
        for (int n = 0; n < TRIES; n++) {
            Path file = files.get(random.nextInt(files.size()));
            byte[] bytes = Workshop.read(file);
            Workshop.write(file, damaged(bytes, random));
            Path place = folder.resolve(folder.relativize(file).getName(0));
            try {
                readAll(place);
            } catch (StokerException e) {
                assertThat(e).hasMessageContaining(String.valueOf(place.getFileName()));
            } catch (Throwable e) {
                throw new AssertionError(
                        file + " as " + new String(Workshop.read(file), StandardCharsets.ISO_8859_1), e);
            }
            Workshop.write(file, bytes);
        }
    }

    /** A digit or bit that is another, a number that is much larger, or an end that is missing. */
    private static byte[] damaged(byte[] bytes, RandomGenerator random) {
        if (bytes.length == 0) {
            return new byte[] {1};
        }
        int at = random.nextInt(bytes.length);
        return switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) (1 << random.nextInt(8));
                yield changed;
            }
            default -> withNumber(bytes, at, random);
        };
    }

    private static byte[] withNumber(byte[] bytes, int at, RandomGenerator random) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String[] numbers = {"0", "-1", "9", "4294967296", "9223372036854775807", "99999999999999999999"};
        int digit = at;
        while (digit < bytes.length && !Character.isDigit(text.charAt(digit))) {
            digit++;
        }
        int end = Math.min(bytes.length, digit + 1);
        return (text.substring(0, digit) + numbers[random.nextInt(numbers.length)] + text.substring(end))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void readAll(Path place) {
        try (Container container = Container.open(place)) {
            for (int f = 0; f < container.schema().size(); f++) {
                for (long i = 0; i < Math.min(container.count(), 200); i++) {
                    container.value(i, f).byteSize();
                    if (container.schema().type(f) instanceof FieldType.Array) {
                        container.shape(i, f);
                    }
                }
            }
        }
    }
}

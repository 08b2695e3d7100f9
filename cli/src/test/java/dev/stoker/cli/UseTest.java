package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command as a user types it: what it prints, how it ends, what it leaves behind. */
class UseTest {
    @TempDir
    Path folder;

    private Path source;

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectories(folder.resolve("src"));
        for (String name : new String[] {"cat/1.jpg", "cat/2.jpg", "dog/ü n\n.jpg"}) {
            Path file = source.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "bytes of " + name);
        }
        Files.createFile(source.resolve("dog/empty"));
    }

    /** Elsewhere there is no folder SRC/cat that could be packed. */
    @Test
    void onlyAFolderOfOneClassMayBeOneTooHigh() throws IOException {
        Path one = Files.createDirectories(folder.resolve("one/cat"));
        Files.writeString(one.resolve("1.jpg"), "1");
        Path packed = folder.resolve("one.stk");
        String hint = "all samples are in class 'cat'";
        assertThat(Ending.of("pack", folder.resolve("one"), "-o", packed).out()).contains(hint);
        assertThat(Ending.of("convert", packed, "-o", folder.resolve("two.stk")).out())
                .isNotEmpty()
                .doesNotContain(hint);
        assertThat(Ending.of("pack", packed, "-o", folder.resolve("three.stk")).out())
                .isNotEmpty()
                .doesNotContain(hint);
        Path manifest = Files.writeString(folder.resolve("m.csv"), "path,label\ncat/1.jpg,cat\n");
        assertThat(Ending.of("pack", folder.resolve("one"), "--manifest", manifest, "-o", folder.resolve("four.stk"))
                        .out())
                .isNotEmpty()
                .doesNotContain(hint);
    }

    @Test
    void damageIsNotPassedOn() throws IOException {
        Path packed = folder.resolve("x.stk");
        assertThat(Ending.of("pack", source, "-o", packed).code()).isZero();
        byte[] bytes = Files.readAllBytes(packed);
        bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("bytes of cat/2.jpg")] ^= 1;
        Files.write(packed, bytes);
        String sentence =
                "stoker: [" + packed + "] sample 1 (cat/2.jpg), field 'data': the checksum does not match; the"
                        + " value is damaged (stoker verify lists all that is, and with --repair-from SRC repairs it)\n";
        assertThat(Ending.of("cat", packed, 1)).isEqualTo(new Ending(1, "", sentence));
        for (String name : new String[] {"y.zip", "y.stk", "y.arrow"}) {
            Path out = folder.resolve(name);
            assertThat(Ending.of("convert", packed, "-o", out)).isEqualTo(new Ending(1, "", sentence));
            assertThat(Ending.of("pack", packed, "-o", out, "--force")).isEqualTo(new Ending(1, "", sentence));
            assertThat(out).doesNotExist();
        }
        assertThat(Ending.of("export", packed, "-o", folder.resolve("e"))).isEqualTo(new Ending(1, "", sentence));
        assertThat(folder.resolve("e")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stk", "arrow", "tar", "parquet"})
    void findsDamageAndRepairsIt(String ending) throws IOException {
        Path packed = folder.resolve("x." + ending);
        assertThat(Ending.of("pack", source, "-o", packed).code()).isZero();
        byte[] whole = Files.readAllBytes(packed);
        byte[] damaged = whole.clone();
        damaged[new String(whole, StandardCharsets.ISO_8859_1).indexOf("bytes of cat/2.jpg")] ^= 1;
        Files.write(packed, damaged);
        assertThat(Ending.of("verify", packed)).satisfies(done -> {
            assertThat(done.code()).isEqualTo(1);
            assertThat(done.out())
                    .contains("damaged: sample 1, field 'data'", packed.toString(), "sample 1 (cat/2.jpg)");
        });
        assertThat(Ending.of("verify", packed, "--repair-from", source, "--dry-run"))
                .satisfies(done -> {
                    assertThat(done.code()).isEqualTo(1);
                    assertThat(done.out()).contains("would repair 1 byte at 1 place of " + packed);
                });
        assertThat(Files.readAllBytes(packed)).isEqualTo(damaged);
        assertThat(Ending.of("verify", packed, "--repair-from", source)).satisfies(done -> {
            assertThat(done.code()).isZero();
            assertThat(done.out()).contains("intact", "repaired 1 byte at 1 place of " + packed);
        });
        assertThat(Files.readAllBytes(packed)).isEqualTo(whole);
        assertThat(Ending.of("verify", packed, "--repair-from", source).out()).contains("intact", "nothing to repair");

        Files.write(packed, damaged);
        Files.writeString(source.resolve("cat/0.jpg"), "came later");
        Ending.of("verify", packed, "--repair-from", source, "--dry-run").require(1);
        Ending.of("verify", packed, "--repair-from", source).require(0);
        assertThat(Files.readAllBytes(packed)).isEqualTo(whole);
    }

    @Test
    void eachOfSeveralFilesIsReported() throws IOException {
        Path first = folder.resolve("1.tar");
        Path broken = folder.resolve("2.tar");
        Path last = folder.resolve("3.tar");
        for (Path packed : List.of(first, broken, last)) {
            Ending.of("pack", source, "-o", packed).require(0);
        }
        assertThat(Ending.of("verify", first, last).require(0).out().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith(first + ": intact"),
                        line -> assertThat(line).startsWith(last + ": intact"));
        byte[] damaged = Files.readAllBytes(broken);
        damaged[new String(damaged, StandardCharsets.ISO_8859_1).indexOf("bytes of cat/2.jpg")] ^= 1;
        Files.write(broken, damaged);
        assertThat(Ending.of("verify", first, broken, last).require(1).out())
                .contains(first + ": intact", broken + ": 2 DAMAGED", last + ": intact");
        assertThat(Ending.of("verify", first, last, "--against", source)
                        .require(2)
                        .err())
                .contains("--against and --repair-from take one FILE");

        Path missing = folder.resolve("none.tar");
        Ending inspected = Ending.of("inspect", first, missing, last, "--json").require(1);
        assertThat(inspected.err()).startsWith("stoker: ").contains("[" + missing + "]");
        assertThat((List<?>) Json.parse(inspected.out(), "out"))
                .extracting(each -> String.valueOf(((Map<?, ?>) each).get("file")))
                .containsExactly(first.toString(), last.toString());
        assertThat(Ending.of("inspect", first, last).require(0).out())
                .contains(first + ": 4 samples, format tar", last + ": 4 samples, format tar");

        assertThat(Ending.of("index", first, last).require(1).err().lines())
                .hasSize(2)
                .allMatch(line -> line.contains("already exists; use --force to replace it"));
        assertThat(Ending.of("index", first, last, "--force").require(0).out().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("1.tar.stkx: 4 samples of format tar"),
                        line -> assertThat(line).startsWith("3.tar.stkx: 4 samples of format tar"));
        assertThat(Json.parse(Ending.of("inspect", first, "--json").require(0).out(), "out"))
                .as("of one file, an object")
                .isInstanceOf(Map.class);
    }

    @Test
    void looksAtAPart() {
        Path packed = folder.resolve("x.stk");
        assertThat(Ending.of("pack", source, "-o", packed).code()).isZero();
        assertThat(Ending.of("verify", packed, "--sample", "50%", "--seed", 3).out())
                .contains("intact, 6 values of 2 of 4 samples (random subset, seed 3;");
        assertThat(Ending.of("verify", packed, "--sample", "9").out()).contains("12 values of 4 samples checked");
        assertThat(Ending.of("verify", packed, "--sample", "0").err())
                .contains("--sample takes a share such as 1% or a number of samples, not '0'");
        assertThat(Ending.of("verify", packed, "--dry-run").code()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stk", "arrow", "tar"})
    void packsInspectsVerifiesConvertsAndExports(String ending) throws IOException {
        Path packed = folder.resolve("x." + ending);
        assertThat(Ending.of("pack", source, "-o", packed)).satisfies(done -> {
            assertThat(done.code()).isZero();
            assertThat(done.out()).contains("4 samples");
            assertThat(done.err()).isEmpty();
        });
        Map<?, ?> inspected =
                (Map<?, ?>) Json.parse(Ending.of("inspect", packed, "--json").out(), "out");
        assertThat(inspected.get("samples")).isEqualTo(4L);
        assertThat(inspected.get("classes").toString()).isEqualTo("[cat, dog]");
        assertThat(Ending.of("verify", packed).out()).contains("intact");
        assertThat(Ending.of("verify", packed, "--against", source).out()).contains("intact");

        Path again = folder.resolve("again.stk");
        assertThat(Ending.of("convert", packed, "-o", again).code()).isZero();
        Path direct = folder.resolve("direct.stk");
        assertThat(Ending.of("pack", source, "-o", direct).code()).isZero();
        assertThat(again).hasSameBinaryContentAs(direct);

        Path exported = folder.resolve("exported");
        assertThat(Ending.of("export", packed, "-o", exported).code()).isZero();
        assertSameTree(exported, source);
        assertThat(folder.resolve("exported.stkx")).doesNotExist();
    }

    private static void assertSameTree(Path actual, Path expected) throws IOException {
        assertThat(names(actual)).isEqualTo(names(expected));
        for (String name : names(expected)) {
            if (Files.isRegularFile(expected.resolve(name))) {
                assertThat(actual.resolve(name)).hasSameBinaryContentAs(expected.resolve(name));
            }
        }
    }

    private static java.util.List<String> names(Path root) throws IOException {
        try (var all = Files.walk(root)) {
            return all.map(path -> root.relativize(path).toString()).sorted().toList();
        }
    }

    @Test
    void catWritesTheBytesAndNothingElse() {
        Path packed = folder.resolve("x.arrow");
        Ending.of("pack", source, "-o", packed);
        var bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, false, StandardCharsets.UTF_8));
        try {
            assertThat(Ending.of("cat", packed, 1).out()).isEmpty();
            assertThat(Ending.of("cat", packed, 3, "key").code()).isZero();
        } finally {
            System.setOut(before);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("bytes of cat/2.jpg" + "dog/ü n\n.jpg");
    }

    @Test
    void theDemoShowsEveryFormatThatHoldsPictures() {
        Ending demo = Ending.of("demo", "--to", folder.resolve("demo"));
        assertThat(demo.err()).isEmpty();
        assertThat(demo.code()).isZero();
        assertThat(demo.out()).contains("hdf5", "lmdb", "parquet", "zarr-zip").doesNotContain("DIFFERS");
    }

    @Test
    void anExistingOutputIsKept() throws IOException {
        Path packed = Files.writeString(folder.resolve("x.stk"), "mine");
        Ending refused = Ending.of("pack", source, "-o", packed);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err())
                .isEqualTo("stoker: [" + packed + "] already exists; use --force to overwrite it"
                        + System.lineSeparator());
        assertThat(Ending.of("pack", source, "-o", packed, "--resume").err())
                .contains("x.stk]")
                .doesNotContain("Exception");
        assertThat(packed).hasContent("mine");
        assertThat(Ending.of("pack", source, "-o", packed, "--force").code()).isZero();
        assertThat(Ending.of("pack", source, "-o", packed, "--resume").out())
                .contains("everything was already written");
        assertThat(Ending.of("verify", packed).code()).isZero();
    }

    @Test
    void wrongUseAndBadInputAreOneSentence() throws IOException {
        assertThat(Ending.of("pack", folder.resolve("nowhere"), "-o", folder.resolve("x.stk")))
                .isEqualTo(
                        failed("[" + folder.resolve("nowhere") + "] cannot be read: there is no such file or folder"));
        assertThat(Ending.of("pack", source, "-o", folder.resolve("x.nope")).err())
                .contains("unknown file extension; give --format, one of arrow, folder");
        assertThat(Ending.of("pack", source, "-o", folder.resolve("x.stk"), "--format", "nope")
                        .err())
                .contains("unknown format 'nope'; available formats: arrow, folder");
        assertThat(Ending.of("pack", source, "-o", folder.resolve("x.stk"), "--nope")
                        .code())
                .isEqualTo(2);
        assertThat(Ending.of("pack", source, "-o", folder.resolve("x.stk"), "--rows-per-batch", "2")
                        .err())
                .contains("format stk has no setting --rows-per-batch; it has --block, --compression");
        assertThat(Ending.of("pack", source, "-o", folder.resolve("x.arrow"), "--rows-per-batch", "0")
                        .err())
                .contains("--rows-per-batch takes a whole number of at least 1, not '0'");
        assertThat(Ending.of("pack", "--split", "a=" + source, "-o", folder.resolve("x.arrow"))
                        .err())
                .contains("format arrow can't store splits");
        Path manifest = Files.writeString(folder.resolve("m.json"), "{\"cat/1.jpg\": 0, \"cat/9.jpg\": 1}");
        Ending missing = Ending.of("pack", source, "--manifest", manifest, "-o", folder.resolve("x.stk"));
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).contains("m.json").contains("cat/9.jpg");
        try (var all = Files.list(folder)) {
            assertThat(all.map(Path::getFileName).map(Path::toString)).containsExactlyInAnyOrder("src", "m.json");
        }
    }

    private static Ending failed(String sentence) {
        return new Ending(1, "", "stoker: " + sentence + System.lineSeparator());
    }

    @Test
    void damageIsFoundAndNamed() throws IOException {
        Path packed = folder.resolve("x.tar");
        Ending.of("pack", source, "-o", packed);
        byte[] bytes = Files.readAllBytes(packed);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("bytes of cat/2.jpg");
        bytes[at] ^= 1;
        Files.write(packed, bytes);
        // Small files are hashed whole, so the sidecar no longer fits: others refuse it, verify still names the sample.
        assertThat(Ending.of("cat", packed, "0").err())
                .contains("does not match its Index x.tar.stkx, which holds checksums from packing");
        Ending found = Ending.of("verify", packed);
        assertThat(found.code()).isEqualTo(1);
        assertThat(found.out()).contains("damaged: sample 1, field 'data'", "65,536 bytes are not those");
        Path own = folder.resolve("x.stk");
        Ending.of("pack", source, "-o", own);
        bytes = Files.readAllBytes(own);
        at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("bytes of cat/2.jpg");
        bytes[at] ^= 1;
        Files.write(own, bytes);
        found = Ending.of("verify", own);
        assertThat(found.code()).isEqualTo(1);
        assertThat(found.out())
                .contains(
                        "damaged: sample 1, field 'data': its 18 bytes from byte " + at + " of [" + own + "] on have",
                        "(cat/2.jpg)")
                .contains("1 DAMAGED");
    }

    @Test
    void splitsManifestsTypesAndNames() throws IOException {
        Path manifest = Files.writeString(folder.resolve("train.jsonl"), """
                {"path": "cat/1.jpg", "label": 7, "captions": ["a", "b"]}
                {"path": "dog/empty", "label": 8, "captions": []}
                """);
        Path packed = folder.resolve("x.stk");
        Ending done = Ending.of(
                "pack",
                "--split",
                "train=" + source,
                "--manifest",
                "train=" + manifest,
                "--split",
                "val=" + source.resolve("cat"),
                "--labels",
                "none",
                "--type",
                "label=int32",
                "--name",
                "data=image",
                "-o",
                packed);
        assertThat(done.err()).isEmpty();
        String inspected = Ending.of("inspect", packed).out();
        assertThat(inspected).contains("image", "int32", "text[]", "train: 2 samples from 0", "val: 2 samples from 2");
    }

    @Test
    void dryRunWritesNothing() throws IOException {
        assertThat(Ending.of("pack", source, "-o", folder.resolve("x.tar"), "--dry-run")
                        .out())
                .startsWith("would write");
        try (var all = Files.list(folder)) {
            assertThat(all).hasSize(1);
        }
    }

    @Test
    void whatHadoopReadsIsRefusedOutsideSpark() {
        String sentence = "stoker: [hdfs://head:8020] hdfs:// is read inside Spark, which brings Hadoop: stoker pack …"
                + " --on \"local[*]\", with SPARK_HOME set or spark-submit on the PATH\n";
        assertThat(Ending.of("pack", "hdfs://head:8020/photos", "-o", folder.resolve("x.stk"))
                        .err())
                .isEqualTo(sentence);
        assertThat(Ending.of("inspect", "HDFS://head:8020/x.stk").err()).isEqualTo(sentence);
        assertThat(Ending.of("pack", source, "-o", "hdfs://head:8020/x.stk", "--on", "local[2]")
                        .err())
                .isEqualTo("stoker: [hdfs://head:8020/x.stk] object storage doesn't support several"
                        + " processes writing one file; choose an OUT on a shared disk and upload it\n");
    }

    @Test
    void aMistypedFormatIsSuggested() {
        assertThat(Ending.of("formats", "arow")).satisfies(done -> {
            assertThat(done.code()).isEqualTo(2);
            assertThat(done.err())
                    .startsWith("stoker: unknown format 'arow'; available formats: arrow, folder, ")
                    .endsWith("; did you mean 'arrow'?" + System.lineSeparator());
        });
        assertThat(Ending.of("formats", "nothing-like-it").err()).doesNotContain("did you mean");
    }

    @Test
    void everyCommandHasHelpWithoutRunning() {
        for (SubCommand command : Commands.ALL) {
            Ending help = Ending.of(command.name(), "--help");
            assertThat(help.code()).as(command.name()).isZero();
            assertThat(help.out()).as(command.name()).contains("Usage: stoker " + command.name());
        }
    }

    @Test
    void foreignFilesAreIndexedOnce() throws Exception {
        Path archive = folder.resolve("foreign.tar");
        var tar = new ProcessBuilder("tar", "cf", archive.toString(), "-C", source.toString(), "cat", "dog").start();
        assertThat(tar.waitFor()).isZero();
        assertThat(Ending.of("index", archive).out()).contains("4 samples of format tar");
        assertThat(Ending.of("index", archive).err()).contains("already exists; use --force to replace it");
        assertThat(Ending.of("verify", archive).out()).contains("no damage found", "have no checksum");
        assertThat(Ending.of("index", archive, "--force", "--checksums").code()).isZero();
        assertThat(Ending.of("verify", archive).out()).contains("intact").doesNotContain("have no checksum");
    }
}

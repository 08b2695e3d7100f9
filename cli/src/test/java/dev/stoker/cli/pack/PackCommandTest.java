package dev.stoker.cli.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Ending;
import dev.stoker.cli.output.ProgressBar;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.io.OutputNames;
import dev.stoker.job.Team;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.Npy;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code stoker pack} as it is typed: what the options become, how it ends, and the sentence of every refusal. */
class PackCommandTest {
    @TempDir
    Path folder;

    private Path source;
    private Path output;

    @BeforeEach
    void makeSource() throws IOException {
        source = folder.resolve("src");
        output = folder.resolve("out.stk");
        for (String name : List.of("a/0.bin", "a/1.bin", "b/2.bin")) {
            write(source.resolve(name), "bytes of " + name);
        }
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Map<String, String> files() throws IOException {
        var files = new TreeMap<String, String>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    private static Ending pack(Object... words) {
        return Ending.of(Stream.concat(Stream.of("pack"), Stream.of(words)).toArray());
    }

    private static Ending packed(Object... words) {
        Ending ending = pack(words).require(0);
        assertThat(ending.err()).isEmpty();
        return ending;
    }

    /** Ends with this code and sentence, prints nothing else, and leaves every file as it was. */
    private void assertRefused(int code, String sentence, Object... words) throws IOException {
        Map<String, String> before = files();
        Ending ending = pack(words);
        assertThat(ending.err()).isEqualTo("stoker: " + sentence + System.lineSeparator());
        assertThat(ending.out()).isEmpty();
        assertThat(ending.code()).isEqualTo(code);
        assertThat(files()).isEqualTo(before);
    }

    @Command
    private static final class Writing {
        @Mixin
        private WriteOptions write = new WriteOptions();
    }

    private static WriteOptions options(String... words) {
        var writing = new Writing();
        new CommandLine(writing).parseArgs(words);
        return writing.write;
    }

    @Test
    void optionsBecomeAJob() {
        PackJob job = options(
                        "-o",
                        "x.arrow",
                        "--name",
                        "data=image",
                        "--rows-per-batch",
                        "1",
                        "--workers",
                        "3",
                        "--resume",
                        "--force",
                        "--no-sync",
                        "--dry-run",
                        "--stripe",
                        "8:4m",
                        "--rank",
                        "1",
                        "--world",
                        "4",
                        "--rank-timeout",
                        "30")
                .job();
        assertThat(job.output()).isEqualTo(Path.of("x.arrow"));
        assertThat(job.written()).isEqualTo(job.output());
        assertThat(job.upload()).isNull();
        assertThat(job.format().name()).isEqualTo("arrow");
        assertThat(job.settings().options().names()).isEqualTo(Map.of("data", "image"));
        assertThat(job.settings().options().settings()).isEqualTo(Map.of("rows-per-batch", "1"));
        assertThat(job.workers()).isEqualTo(3);
        assertThat(job.settings().resume()).isTrue();
        assertThat(job.settings().force()).isTrue();
        assertThat(job.settings().sync()).isFalse();
        assertThat(job.dryRun()).isTrue();
        assertThat(job.stripes().count()).isEqualTo(8);
        assertThat(job.stripes().size()).isEqualTo(4 << 20);
        assertThat(job.rank().rank()).isEqualTo(1);
        assertThat(job.rank().world()).isEqualTo(4);
        assertThat(job.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(job.layout()).isEqualTo(" as arrow, names {data=image}, --rows-per-batch 1, --stripe 8:4m");
    }

    @Test
    void aJobWithoutOptionsIsCareful() {
        PackJob job = options("-o", "x.any", "--format", "stk").job();
        assertThat(job.format().name()).isEqualTo("stk");
        assertThat(job.workers()).isGreaterThanOrEqualTo(32);
        assertThat(job.settings().resume()).isFalse();
        assertThat(job.settings().force()).isFalse();
        assertThat(job.settings().sync()).isTrue();
        assertThat(job.dryRun()).isFalse();
        assertThat(job.stripes().size()).isZero();
        assertThat(job.timeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(job.spool()).isEqualTo(Path.of("x.any.spool"));
        assertThat(job.reworkSpool()).isEqualTo(Path.of("x.any.rework"));
        assertThat(job.layout()).isEqualTo(" as stk");
    }

    @Test
    void aTaskHasOneThreadUnlessMoreAreGiven() {
        assertThat(options("-o", "x.stk").jobOfTask().workers()).isEqualTo(1);
        assertThat(options("-o", "x.stk", "--workers", "4").jobOfTask().workers())
                .isEqualTo(4);
        assertThat(options("-o", "x.stk", "--rank", "1", "--world", "4")
                        .jobOfTask()
                        .rank()
                        .world())
                .isEqualTo(1);
    }

    @Test
    void aFolderBecomesAContainer() throws IOException {
        assertThat(packed(source, "-o", output).out()).startsWith(output + ": 3 samples of 2 classes, ");
        assertThat(files()).containsOnlyKeys("out.stk", "src/a/0.bin", "src/a/1.bin", "src/b/2.bin");
        try (Container container = Container.open(output)) {
            int data = container.schema().place(Field.DATA);
            assertThat(container.count()).isEqualTo(3);
            assertThat(container.text(1, data)).isEqualTo("bytes of a/1.bin");
        }
    }

    @Test
    void jsonTellsTheSame() {
        assertThat(packed(source, "-o", output, "--json").out())
                .contains("\"samples\": 3,", "\"resumed_runs\": 0,", "\"classes\": 2,", "\"format\": \"stk\",")
                .contains("\"output\": \"" + output + "\"");
    }

    @Test
    void aDryRunWritesNothing() throws IOException {
        Map<String, String> before = files();
        assertThat(packed(source, "-o", output, "--dry-run").out())
                .startsWith("would write " + output + ": 3 samples, ");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void compressionIsTold() throws IOException {
        write(source.resolve("b/long.bin"), "the same again, ".repeat(4096));
        assertThat(packed(source, "-o", output, "--compression", "zstd", "--json")
                        .out())
                .contains("\"compression\": \"zstd\",", "\"compression_ratio\": ");
        assertThat(Files.size(output)).isLessThan(32 << 10);
    }

    /** To say which samples are compressed together takes the lengths of all of them. */
    @Test
    void samplesAreCutIntoBlocksOnce() {
        PackJob asked =
                options("-o", output.toString(), "--compression", "zstd").job();
        var cuts = new AtomicInteger();
        Format counting = (Format) Proxy.newProxyInstance(
                Format.class.getClassLoader(), new Class<?>[] {Format.class}, (_, method, args) -> {
                    if (method.getName().equals("compress")) {
                        cuts.incrementAndGet();
                    }
                    return method.invoke(asked.format(), args);
                });
        var job = new PackJob(
                output,
                output,
                null,
                counting,
                asked.layout(),
                asked.settings(),
                asked.stripes(),
                false,
                false,
                asked.rank(),
                asked.timeout());
        var request = new SourceRequest(source, null, true, null, 2, BadFilePolicy.refused());
        var progress = new Progress();
        try (Samples samples = Sources.open(request);
                var bar = ProgressBar.of(progress, false)) {
            new PackRun(job, Team.ALONE, null, progress, bar).of(samples);
        }
        assertThat(output).exists();
        assertThat(cuts).hasValue(1);
    }

    @Test
    void oneClassIsPerhapsASplit() throws IOException {
        write(folder.resolve("high/train/0.bin"), "a sample of no class");
        assertThat(packed(folder.resolve("high"), "-o", folder.resolve("high.stk"))
                        .out())
                .endsWith("all samples are in class 'train'; if it is really a split, pack SRC/train or use --split"
                        + " train=SRC/train" + System.lineSeparator());
        assertThat(packed(source.resolve("a"), "-o", folder.resolve("a.stk")).out())
                .doesNotContain("all samples are in class");
        assertThat(packed("--split", "train=" + source, "-o", folder.resolve("s.stk"))
                        .out())
                .doesNotContain("all samples are in class");
    }

    @Test
    void filesLeftOutAreListed() throws IOException {
        Files.createSymbolicLink(source.resolve("b/gone.bin"), folder.resolve("nowhere"));
        Ending ending = pack(source, "-o", output, "--skip-bad").require(0);
        assertThat(ending.out())
                .contains(": 3 samples of 2 classes, ")
                .contains("left out: " + source.resolve("b/gone.bin") + ": ");
    }

    @Test
    void anOutputIsNotWrittenOver() throws IOException {
        packed(source, "-o", output);
        assertRefused(1, "[" + output + "] already exists; use --force to overwrite it", source, "-o", output);
    }

    @Test
    void forceWritesOver() throws IOException {
        packed(source, "-o", output);
        write(source.resolve("b/3.bin"), "one more");
        assertThat(packed(source, "-o", output, "--force").out()).startsWith(output + ": 4 samples of 2 classes, ");
    }

    @Test
    void resumeComparesWhatIsComplete() throws IOException {
        packed(source, "-o", output);
        Map<String, String> before = files();
        assertThat(packed(source, "-o", output, "--resume").out()).contains("; everything was already written");
        assertThat(files()).isEqualTo(before);
        write(source.resolve("b/2.bin"), "BYTES of b/2.bin");
        Ending ending = pack(source, "-o", output, "--resume").require(1);
        assertThat(ending.err())
                .startsWith("stoker: [" + output + "] already exists and holds other samples: ")
                .endsWith("; use --force to overwrite it" + System.lineSeparator());
    }

    @Test
    void whatAnotherPackLeftIsNotWrittenOver() throws IOException {
        Path partial = write(OutputNames.partial(output), "half");
        write(OutputNames.journal(partial), "");
        assertRefused(
                1,
                "[" + partial + "] is what an earlier pack left, or one that is running now;"
                        + " use --resume to continue it, or --force to start over",
                source,
                "-o",
                output);
        assertThat(packed(source, "-o", output, "--resume").out()).startsWith(output + ": 3 samples");
        assertThat(files()).containsOnlyKeys("out.stk", "src/a/0.bin", "src/a/1.bin", "src/b/2.bin");
    }

    @Test
    void anOutputInItsSourceIsNoSample() throws IOException {
        Path inside = source.resolve("a/out.stk");
        assertThat(packed(source, "-o", inside).out()).contains(": 3 samples of 2 classes, ");
        assertThat(packed(source, "-o", inside, "--force").out()).contains(": 3 samples of 2 classes, ");
        Path sample = source.resolve("a/0.bin");
        assertRefused(
                1,
                "[" + sample + "] already exists and is part of the source, which is never overwritten;"
                        + " choose another output",
                source,
                "-o",
                sample,
                "--format",
                "stk",
                "--force");
        assertRefused(
                1,
                "[" + source + "] is the source, which is never overwritten; choose another output",
                source,
                "-o",
                source,
                "--format",
                "folder",
                "--force");
    }

    @Test
    void anUnknownFormatIsRefused() throws IOException {
        assertRefused(
                2,
                "unknown format 'arow'; available formats: " + Formats.names() + "; did you mean 'arrow'?",
                source,
                "-o",
                output,
                "--format",
                "arow");
        Path photos = folder.resolve("photos.any");
        assertRefused(
                2,
                "[" + photos + "] unknown file extension; give --format, one of " + Formats.names()
                        + ", or use an extension such as .stk",
                source,
                "-o",
                photos);
    }

    @Test
    void whatCannotBeWrittenIsRefusedBeforeTheSourceIsListed() throws IOException {
        Path missing = folder.resolve("missing");
        Path below = folder.resolve("none/out.stk");
        assertRefused(1, "[" + below + "] cannot be written: its folder does not exist", missing, "-o", below);
        assertRefused(
                2,
                "--stripe should be auto or COUNT:SIZE, such as 8:4m, but is '8'; COUNT is 1 to 2000, or -1 for all targets,"
                        + " SIZE a multiple of 64k below 4g",
                missing,
                "-o",
                output,
                "--stripe",
                "8");
        assertRefused(
                2, "--rank-timeout takes at least 2 seconds, not 1", missing, "-o", output, "--rank-timeout", "1");
        assertRefused(
                2,
                "--rank is given without --world; give both, or neither to take them from the environment",
                missing,
                "-o",
                output,
                "--rank",
                "1");
    }

    @Test
    void anEmptySourceIsRefused() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertRefused(1, "there are no files in [" + empty + "], so there is nothing to pack", empty, "-o", output);
    }

    @Test
    void aManifestBelongsToASplit() throws IOException {
        assertRefused(
                2,
                "--manifest val=m.json: there is no split 'val'; the splits are train",
                "--split",
                "train=" + source,
                "--manifest",
                "val=m.json",
                "-o",
                output);
    }

    @Test
    void wrongUseEndsWithTwo() throws IOException {
        String help = " (see `stoker pack --help`)";
        assertRefused(2, "Missing required option: '--output=OUT'" + help, source);
        assertRefused(2, "give either SRC or one --split NAME=SRC for each part" + help, "-o", output);
        assertRefused(
                2,
                "give either SRC or one --split NAME=SRC for each part" + help,
                source,
                "--split",
                "train=" + source,
                "-o",
                output);
        assertRefused(2, "Unknown option: '--forse'; did you mean '--force'?" + help, source, "-o", output, "--forse");
        assertRefused(
                2,
                "Invalid value for option '--workers': should be a whole number but is 'many'" + help,
                source,
                "-o",
                output,
                "--workers",
                "many");
        assertRefused(
                2,
                "give either --resize or --max-side" + help,
                source,
                "-o",
                output,
                "--resize",
                "8",
                "--max-side",
                "8");
    }

    @Test
    void tellsWhatOfTheSourceIsNoSample() throws IOException {
        write(source.resolve("a/.DS_Store"), "junk");
        write(source.resolve(".git/config"), "junk");
        write(source.resolve("labels.csv"), "path,label\na/0.bin,a\na/1.bin,a\n");
        write(source.resolve("b/3.bin"), "");

        Ending ending = packed(source, "-o", output);
        assertThat(ending.out())
                .contains("4 samples of 2 classes")
                .contains("left out: 1 hidden file, 1 hidden folder, the manifest labels.csv (--hidden takes them)")
                .contains("hidden folders aren't classes; torchvision's ImageFolder would number .git as well, so its"
                        + " labels would differ")
                .contains("1 file is empty: b/3.bin; --exclude leaves them out");
        assertThat(packed(source, "-o", output, "--force", "--json").out().replaceAll("\\s+", ""))
                .contains("\"left_out\":{\"hidden_files\":1,\"hidden_folders\":1,\"manifests\":[\"labels.csv\"]}")
                .contains("\"hidden_classes\":[\".git\"]")
                .contains("\"odd_files\":{\"empty\":{\"count\":1,\"examples\":[\"b/3.bin\"]}}");
        Ending.of("verify", output, "--against", source).require(0);
    }

    @Test
    void choosesFilesAndVerifiesThem() throws IOException {
        packed(source, "-o", output, "--include", "*.bin", "--exclude", "a/1*", "--hidden");
        try (Container container = Container.open(output)) {
            assertThat(container.count()).isEqualTo(2);
        }
        Ending.of("verify", output, "--against", source, "--exclude", "a/1*").require(0);
        Ending.of("verify", output, "--against", source).require(1);
        assertRefused(
                1,
                "there are no files in [" + source
                        + "], so there is nothing to pack; left out: 3 files by --include and" + " --exclude",
                source,
                "-o",
                folder.resolve("none.stk"),
                "--include",
                "*.jpg");
    }

    @Test
    void refusesANameForAFieldThatThereIsNot() throws IOException {
        assertRefused(
                2,
                "--name labels=y: no field 'labels'; the fields are key, data, label; did you mean 'label'?",
                source,
                "-o",
                output,
                "--name",
                "labels=y");
        packed(source, "-o", output);
        assertThat(Ending.of("convert", output, "-o", folder.resolve("x.arrow"), "--name", "image=x")
                        .require(2)
                        .err())
                .contains("--name image=x: no field 'image'; the fields are key, data, label");
    }

    @Test
    void inspectLeavesNothingBesideTheData() throws IOException {
        Path array = folder.resolve("arrays/a.npy");
        Files.createDirectories(array.getParent());
        Files.write(array, Npy.header(DType.UINT8, 2, 3));
        Files.write(array, new byte[6], StandardOpenOption.APPEND);
        Map<String, String> before = files();
        assertThat(Ending.of("inspect", array).require(0).out()).contains("2 samples, format npy");
        assertThat(files()).isEqualTo(before);
    }
}

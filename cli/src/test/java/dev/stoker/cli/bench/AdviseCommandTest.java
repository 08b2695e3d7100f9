package dev.stoker.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Commands;
import dev.stoker.cli.Main;
import dev.stoker.container.Container;
import dev.stoker.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviseCommandTest {
    private static final int FILES = 200;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path data;

    @BeforeEach
    void makeFiles() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        var random = new SplittableRandom(3);
        for (int i = 0; i < FILES; i++) {
            byte[] content = new byte[random.nextInt(100, 3000)];
            random.nextBytes(content);
            Files.write(data.resolve(i + ".bin"), content);
        }
    }

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(Commands.ALL, new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> advice(Path path, String... more) {
        List<String> args = Stream.concat(
                        Stream.of("advise", path.toString(), "--seconds", "2", "--json"), Stream.of(more))
                .toList();
        assertThat(run(args.toArray(String[]::new))).as(err.toString()).isZero();
        return (Map<String, Object>) Json.parse(out.toString(), "advice");
    }

    private static Object member(Map<String, Object> advice, String object, String name) {
        return ((Map<?, ?>) advice.get(object)).get(name);
    }

    private static List<String> commands(Map<String, Object> advice) {
        return ((List<?>) advice.get("commands"))
                .stream()
                        .map(command -> String.valueOf(((Map<?, ?>) command).get("command")))
                        .toList();
    }

    private List<String> listing() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.map(Path::toString).sorted().toList();
        }
    }

    @Test
    void theCommandThatPacksCanBeRun() throws IOException {
        List<String> before = listing();
        Map<String, Object> advice = advice(data);
        assertThat(listing()).isEqualTo(before);
        assertThat(member(advice, "seen", "samples")).isEqualTo((long) FILES);
        assertThat(member(advice, "recommended", "format")).isEqualTo("stk");
        assertThat(member(advice, "recommended", "read")).isEqualTo("map");
        assertThat(member(advice, "measured", "packed_samples_per_s")).isInstanceOf(Double.class);
        assertThat((Double) member(advice, "seen", "compressed_part")).isGreaterThan(0.9);
        List<String> pack = List.of(commands(advice).getFirst().split(" "));
        assertThat(pack.getFirst()).isEqualTo("stoker");
        assertThat(run(pack.subList(1, pack.size()).toArray(String[]::new)))
                .as(err.toString())
                .isZero();
        try (Container packed = Container.open(folder.resolve("data.stk"))) {
            assertThat(packed.count()).isEqualTo(FILES);
        }
        assertThat(((List<?>) advice(data).get("options")).toString()).contains("existing container");
        assertThat(member(advice(folder.resolve("data.stk")), "recommended", "write"))
                .isEqualTo(false);
    }

    @Test
    void containersOfEveryKindAreLookedAt() throws IOException {
        for (String ending : new String[] {"arrow", "tar", "h5"}) {
            assertThat(run("pack", data.toString(), "-o", folder + "/data." + ending, "--no-sync"))
                    .isZero();
            assertThat(member(advice(folder.resolve("data." + ending)), "recommended", "write"))
                    .isEqualTo(false);
        }
        Files.delete(folder.resolve("data.tar.stkx"));
        List<String> before = listing();
        Map<String, Object> advice = advice(folder.resolve("data.tar"));
        assertThat(listing()).isEqualTo(before);
        assertThat(member(advice, "seen", "has_index")).isEqualTo(false);
        assertThat(commands(advice).getFirst()).isEqualTo("stoker index " + folder.resolve("data.tar"));
        assertThat(run("pack", data.toString(), "-o", folder + "/small.stk", "--compression", "zstd"))
                .isZero();
        advice = advice(folder.resolve("small.stk"));
        assertThat(commands(advice).getFirst()).startsWith("stoker convert");
        assertThat(commands(advice).getFirst()).doesNotEndWith("/small.stk");
    }

    @Test
    void peopleGetItInFourParts() {
        assertThat(run("advise", data.toString(), "--seconds", "2")).isZero();
        assertThat(out.toString())
                .contains("200 files in 1 folder", "opening", "Recommendations", "format", "Commands", "stoker pack")
                .doesNotContain("NaN", "null", "Infinity");
        assertThat(out.toString().lines().limit(20))
                .allSatisfy(line -> assertThat(line.length()).isLessThan(200));
    }

    @Test
    void whatIsNoDataIsRefused() throws IOException {
        Path note = Files.writeString(folder.resolve("note.md"), "no container");
        assertThat(run("advise", note.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("note.md", "is in no format that Stoker knows");
        assertThat(run("advise", Files.createDirectory(folder.resolve("empty")).toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("has no files");
        assertThat(run("advise", folder.resolve("nothing").toString())).isEqualTo(1);
        assertThat(err.toString()).contains("there is no such file or folder");
        assertThat(run("advise", data.toString(), "--seconds", "0")).isEqualTo(2);
        assertThat(run("advise", data.toString(), "--node-local", folder + "/no disk"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("no disk", "there is no such folder");
        assertThat(run("advise", data.toString(), "--memory", "much")).isEqualTo(2);
        assertThat(err.toString()).contains("--memory takes a number of bytes");
    }

    @Test
    void badFilesAreNamedAndLeftOut() throws IOException {
        Files.createSymbolicLink(data.resolve("gone.bin"), folder.resolve("nowhere"));
        Map<String, Object> advice = advice(data);
        assertThat(member(advice, "seen", "unreadable")).isEqualTo(1L);
        assertThat(commands(advice).getFirst()).endsWith(" --skip-bad");
        assertThat(run("pack", data.toString(), "-o", folder + "/data.stk", "--skip-bad"))
                .isZero();
    }

    @Test
    void batchesFitWhatIsGiven() {
        Map<String, Object> advice = advice(data, "--memory", "1MiB", "--bytes-per-sample", "100k");
        assertThat(member(advice, "recommended", "batch")).isEqualTo(8L);
    }
}

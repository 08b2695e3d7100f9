package dev.stoker.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.bench.Leftovers;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepTest {
    private static final SettingChoices ONE =
            new SettingChoices(List.of(true), List.of(false), List.of(true), List.of(1), List.of(), List.of(false));
    private static final Workload FEW = new Workload(null, 40, 1000, 1);

    @TempDir
    private Path root;

    private static List<Format> formats(String... names) {
        return Stream.of(names).map(Formats::named).toList();
    }

    private Sweep.Request request(Workload workload, SettingChoices choices, String... formats) {
        return new Sweep.Request(root, formats(formats), workload, choices, 2, Duration.ofSeconds(60), false);
    }

    private static SweepResult run(Sweep.Request request) {
        return new Sweep(request, new Progress(), () -> false).run();
    }

    @Test
    void measuresFormatsInTurn() {
        var choices = new SettingChoices(
                List.of(true, false), List.of(false, true), List.of(true), List.of(1), List.of(), List.of(false));
        SweepResult result = run(request(FEW, choices, "stk", "folder"));
        assertThat(result.settings()).hasSize(3);
        assertThat(result.samples()).isEqualTo(40);
        assertThat(result.failureLines()).containsExactly("folder (not mapped): loose files are never mapped");
        Measurement stk = result.measured("stk", result.base()).orElseThrow();
        assertThat(stk.rates()).hasSize(2);
        assertThat(stk.samplesPerSecond()).isPositive();
        assertThat(stk.memoryBytes()).isGreaterThan(1 << 20);
        assertThat(stk.waitMicros(0.5)).isPositive().isLessThanOrEqualTo(stk.waitMicros(1));
        assertThat(result.measured("folder", result.base()).orElseThrow().isMapped())
                .isFalse();
        assertThat(root).as("nothing is left").isEmptyDirectory();
    }

    @Test
    void theOthersGoOnWithoutOneThatCrashesOrHangs() {
        Launch real = Launch.here(FEW, root.toAbsolutePath().resolve(Sweep.CONTAINERS));
        Launch launch = format -> switch (format) {
            case "tar" -> List.of("sh", "-c", "echo 'the core was dumped' >&2; exit 139");
            // It packs, and hangs when it is to read.
            case "zip" ->
                List.of(
                        "sh",
                        "-c",
                        "read line; echo '{\"path\":\"x\",\"bytes\":1,\"seconds\":1,\"mapping\":\"CHOICE\"}'; exec sleep 1000");
            default -> real.command(format);
        };
        var request = new Sweep.Request(root, formats("stk", "tar", "zip"), FEW, ONE, 1, Duration.ofSeconds(6), false);
        SweepResult result = new Sweep(request, new Progress(), () -> false, launch).run();
        assertThat(result.best().orElseThrow().format()).isEqualTo("stk");
        assertThat(result.failureLines())
                .containsExactly(
                        "tar (base): its process ended with exit code 139: the core was dumped",
                        "zip (base): no answer within 6 s, so it was ended");
    }

    @Test
    void whoDeliversOtherBytesIsOut() {
        Launch launch = format -> List.of(
                "sh",
                "-c",
                "read line; echo '{\"path\":\"x\",\"bytes\":1,\"seconds\":1,\"mapping\":\"CHOICE\"}'; read line; echo"
                        + " '{\"samples\":40,\"bytes\":5,\"seconds\":1,\"cpu_seconds\":1,\"waits\":[1],\"memory_bytes\":1,"
                        + "\"buffer_bytes\":1,\"digest\":1}'");
        SweepResult result = new Sweep(request(FEW, ONE, "tar"), new Progress(), () -> false, launch).run();
        assertThat(result.failureLines().getFirst())
                .matches("tar \\(base\\): it should deliver 40 samples of \\d+ bytes but delivered 40 of 5");
    }

    @Test
    void anEndLeavesNothing() {
        var asked = new AtomicInteger();
        var sweep = new Sweep(request(FEW, ONE, "stk"), new Progress(), () -> asked.incrementAndGet() > 2);
        assertThatThrownBy(sweep::run).isInstanceOf(StokerException.class).hasMessage("stopped; nothing was reported");
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void refusesWhatDoesNotFitBeforeItWrites() {
        assertThatThrownBy(() -> Room.require(
                        root, formats("stk", "tar"), List.of(new SweepSize(1_000_000, 1L << 60, 1L << 40, false, 0))))
                .isInstanceOf(StokerException.class)
                .hasMessageMatching("\\[.*\\] 2 containers of these samples need 2.3 EB but the disk has .* free;"
                        + " use fewer samples \\(--num-samples\\), fewer formats \\(--format\\), or another folder"
                        + " \\(--data-root\\)");
    }

    @Test
    void namesAFolderThatIsEmptyOrCannotBeWritten() throws IOException {
        Path empty = Files.createDirectory(root.resolve("empty"));
        assertThatThrownBy(() -> run(request(new Workload(empty, 0, 0, 1), ONE, "stk")))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("empty");
        Path file = Files.writeString(root.resolve("file"), "x");
        var request =
                new Sweep.Request(file.resolve("below"), formats("stk"), FEW, ONE, 1, Duration.ofSeconds(60), false);
        assertThatThrownBy(() -> run(request))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("cannot be written");
    }

    @Test
    void theUsersOwnFilesAreMeasuredAsTheyAre() throws IOException {
        Path photos = Files.createDirectories(root.resolve("photos/cat"));
        for (int i = 0; i < 30; i++) {
            Files.writeString(photos.resolve("%02d.txt".formatted(i)), "photo".repeat(i + 1));
        }
        Path own = root.resolve("photos");
        SweepResult result = run(request(new Workload(own, 10, 0, 1), ONE, "stk", "npy"));
        assertThat(result.samples()).isEqualTo(10);
        assertThat(result.base().fixedLength()).isFalse();
        assertThat(result.base().batch()).isEqualTo(10);
        assertThat(result.measured("stk", result.base())).isPresent();
        assertThat(result.failureLines().getFirst()).startsWith("npy (base): format npy holds arrays");
    }

    @Test
    void coldIsSaidToBeImpossibleWhereItIs() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeTrue(
                Files.isWritable(memory) && Files.getFileStore(memory).type().equals("tmpfs"),
                "needs a filesystem in memory");
        Path folder = Files.createTempDirectory(memory, "stoker-sweep");
        try {
            Path file = Files.writeString(folder.resolve("file"), "x".repeat(100_000));
            assertThat(PageCache.drop(file)).isFalse();
        } finally {
            Leftovers.delete(folder);
        }
    }
}

package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.stage.RunSummary;
import dev.stoker.json.Json;
import dev.stoker.metric.Bottleneck;
import dev.stoker.metric.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where commands bring their metrics, and what they say of what limited them. */
class MetricsCommandTest {
    @TempDir
    private Path folder;

    private String out = "";
    private String err = "";
    private String packed = "";

    @BeforeEach
    void packFiles() throws IOException {
        Path photos = Files.createDirectories(folder.resolve("photos/cat"));
        for (int i = 0; i < 50; i++) {
            Files.writeString(photos.resolve("%02d.txt".formatted(i)), "photo " + i);
        }
        packed = at("photos.stk");
        run(0, "pack", at("photos"), "-o", packed, "--no-sync", "--metrics", "jsonl:" + at("pack.jsonl"));
    }

    private void run(int code, String... args) {
        Ending ending = Ending.of((Object[]) args).require(code);
        out = ending.out();
        err = ending.err();
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private Map<?, ?> lastLine(String file) throws IOException {
        return (Map<?, ?>) Json.parse(Files.readAllLines(folder.resolve(file)).getLast(), file);
    }

    @Test
    void packAndFeedWriteLines() throws IOException {
        assertThat(lastLine("pack.jsonl").get("pack_samples")).isEqualTo(50L);
        assertThat(lastLine("pack.jsonl").get("data")).isEqualTo("photos.stk");
        run(
                0,
                "feed",
                packed,
                "--batch",
                "5",
                "--rank",
                "1",
                "--world",
                "2",
                "--no-limit",
                "--metrics",
                "jsonl:" + at("a.jsonl") + ",tensorboard:" + at("runs"));
        assertThat(lastLine("a.jsonl").get("feed_samples_total")).isEqualTo(25L);
        assertThat(lastLine("a.jsonl").get("rank")).isEqualTo("1");
        assertThat(folder.resolve("runs/feed-rank1")).isNotEmptyDirectory();
        assertThat(out).contains("With a training loop that does nothing else, the feed is limited by ");
        run(0, "feed", packed, "--json", "--no-limit");
        Map<?, ?> report = (Map<?, ?>) Json.parse(out, "out");
        assertThat(report.get("limited_by")).isEqualTo("unknown");
        assertThat(report.get("bottleneck")).isEqualTo("too few batches to tell what limits it");
    }

    @Test
    void whatCannotWorkIsSaidBeforeTheWork() throws IOException {
        run(1, "feed", packed, "--print", "key", "--metrics", "jsonl:" + at("none/a.jsonl"));
        assertThat(err).contains("none/a.jsonl] cannot be written: there is no such file or folder");
        assertThat(out).isEmpty();
        run(2, "feed", packed, "--metrics", "csv:x");
        assertThat(err).contains("metrics cannot go to 'csv:x'; valid are prometheus://[HOST]:PORT");
        run(2, "feed", packed, "--metrics-every", "0.5");
        assertThat(err).contains("--metrics-every must be at least 1 second, but is 0.5");
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            run(1, "pack", at("photos"), "-o", at("b.stk"), "--metrics", "prometheus://:" + port);
            assertThat(err).contains("port " + port + " of 127.0.0.1 cannot be listened on (Address already in use)");
            assertThat(folder.resolve("b.stk")).doesNotExist();
        }
    }

    @Test
    void topShowsNothingOfOthersAndNoneOfThisTest() {
        run(0, "top", "--json");
        Map<?, ?> report = (Map<?, ?>) Json.parse(out, "out");
        assertThat((List<?>) report.get("processes"))
                .noneMatch(each -> ((Map<?, ?>) each)
                        .get("pid")
                        .equals(ProcessHandle.current().pid()));
        run(0, "top", "--once");
        assertThat(out).startsWith("stoker top  ");
    }

    @Test
    void whatARunSays() {
        var decoding = new Bottleneck(Bottleneck.Limit.DECODING, "E", "A");
        assertThat(new RunSummary(2, 98, 150, 4, null).sentence())
                .isEqualTo("staging took 2.00 s; the command ran 1:38 min and kept 1.5 of 4 cores busy");
        assertThat(new RunSummary(2, 98, 150, 4, decoding).sentence())
                .endsWith("cores busy; its loader was limited by decoding: E. Try: A");
        assertThat(new RunSummary(60, 40, 80, 4, decoding).sentence())
                .endsWith("cores busy; 60% of the time went into staging: --keep reuses the copy in the next run, --via"
                        + " mount copies nothing");
        assertThat(new RunSummary(1, 3, 3, 4, null).isWorthSaying()).isFalse();
        assertThat(new RunSummary(1, 4, 3, 4, null).isWorthSaying()).isTrue();
    }

    @Test
    void thePageExplainsEveryMetric() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("stoker.root"), "docs/how-to/metrics.md"));
        for (Metric metric : Metric.values()) {
            assertThat(page).contains("`" + metric.label() + "`");
        }
    }
}

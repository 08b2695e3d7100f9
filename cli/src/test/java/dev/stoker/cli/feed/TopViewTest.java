package dev.stoker.cli.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.metric.MeterSnapshot;
import dev.stoker.metric.Metric;
import dev.stoker.metric.MetricSource;
import dev.stoker.metric.Snapshot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopViewTest {
    private static MeterSnapshot feed(int rank, String data, double second, double rate) {
        var values = new EnumMap<Metric, Double>(Metric.class);
        values.put(Metric.FEED_SAMPLES, rate * second);
        values.put(Metric.FEED_BATCHES, 100 * second);
        values.put(Metric.FEED_BYTES, 80_000 * rate * second);
        values.put(Metric.FEED_READ, 0.2 * second);
        values.put(Metric.FEED_DECODE, 1.7 * second);
        values.put(Metric.FEED_IDLE, 0.1 * second);
        values.put(Metric.FEED_WAIT, 0.4 * second);
        values.put(Metric.FEED_TRAIN, 0.6 * second);
        values.put(Metric.FEED_THREADS, 2.0);
        var labels = new LinkedHashMap<String, String>();
        labels.put("rank", "" + rank);
        labels.put("data", data);
        return new MeterSnapshot(MetricSource.FEED, labels, "", values);
    }

    private static MeterSnapshot process(double second) {
        return new MeterSnapshot(
                MetricSource.PROCESS,
                Map.of(),
                "",
                Map.of(Metric.PROCESS_CPU, 3.5 * second, Metric.PROCESS_SECONDS, second, Metric.PROCESS_CORES, 4.0));
    }

    private static TopProcess loader() {
        TopProcess process = null;
        for (int second = 1; second <= 6; second++) {
            var snapshot = new Snapshot(
                    second,
                    4711,
                    "serve",
                    "",
                    List.of(
                            process(second),
                            feed(10, "photos.stk", second, 1200),
                            feed(2, "a very long \u001b[31mname of data.stk", second, 15_000)));
            if (process == null) {
                process = new TopProcess(snapshot);
            }
            process.see(snapshot);
        }
        return process;
    }

    private static TopProcess pack() {
        var labels = Map.of("data", "train.arrow");
        var process = new TopProcess(pack(labels, 1, 0));
        process.see(pack(labels, 2, 50e6));
        return process;
    }

    private static Snapshot pack(Map<String, String> labels, double second, double bytes) {
        var values = Map.of(Metric.PACK_SAMPLES, 1500.0, Metric.PACK_PLANNED, 3000.0, Metric.PACK_BYTES, bytes);
        return new Snapshot(
                second,
                4712,
                "pack",
                "",
                List.of(process(second), new MeterSnapshot(MetricSource.PACK, labels, "filling", values)));
    }

    @Test
    void aPictureOfEightyColumns() {
        List<String> lines = new TopView(80, false).draw("node7", "12:31:07", List.of(loader(), pack()));
        assertThat(lines)
                .containsExactly(
                        "stoker top  node7                                                       12:31:07",
                        "",
                        "loader  pid 4711                                                  3.5 of 4 cores",
                        "rank data         samples/s  bytes/s trend               read decode  idle waits",
                        "   2 a very long…     15.0k   1.2 GB █████                10%    85%    5%   40%",
                        "  10 photos.stk        1200  96.0 MB █████                10%    85%    5%   40%",
                        "→ Limited by decoding: the training waited for data 40% of the time, and",
                        "  decoding took 89% of the threads' busy time. Try: pack smaller pictures (pack",
                        "  --resize), scale JPEGs while decoding (--fast-scale, fast_scale=), or use more",
                        "  than 4 cores",
                        "",
                        "pack  pid 4712                                                    3.5 of 4 cores",
                        "  train.arrow  filling  50%  1,500 samples  50.0 MB/s");
    }

    @Test
    void narrowTerminalsSeeWhatMattersMost() {
        for (int width = 30; width < 200; width++) {
            int most = width;
            assertThat(new TopView(width, false).draw("node7", "12:31:07", List.of(loader(), pack())))
                    .allSatisfy(line ->
                            assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(most))
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("rank")
                            .contains("samples/s")
                            .endsWith("waits"));
        }
        assertThat(new TopView(40, false)
                        .draw("node7", "12:31:07", List.of(loader()))
                        .get(3))
                .isEqualTo("rank samples/s  read decode  idle waits");
    }

    @Test
    void coloursAreOnlyAdded() {
        List<String> plain = new TopView(80, false).draw("node7", "12:31:07", List.of(loader(), pack()));
        List<String> coloured = new TopView(80, true).draw("node7", "12:31:07", List.of(loader(), pack()));
        assertThat(coloured).isNotEqualTo(plain);
        assertThat(coloured.stream().map(line -> line.replaceAll("\u001b\\[[0-9]+m", "")))
                .isEqualTo(plain);
        assertThat(coloured.get(5)).contains("\u001b[31m  40%");
    }

    @Test
    void nothingRuns() {
        assertThat(new TopView(80, false).draw("node7", "12:31:07", List.of()).getLast())
                .isEqualTo("You have no feed, loader, pack or run on this node.");
    }

    @Test
    void heights() {
        assertThat(TopView.sparkline(List.of(), 5)).isEmpty();
        assertThat(TopView.sparkline(List.of(0.0, 0.0), 5)).isEqualTo("▁▁");
        assertThat(TopView.sparkline(List.of(9.0, 0.0, 1.0, 5.0, 7.0), 4)).isEqualTo("▁▂▆█");
        assertThat(new ArrayList<>(List.of(TopView.shorten("a\u001bb", 9), TopView.shorten("äöü", 2))))
                .containsExactly("a?b", "ä…");
    }
}

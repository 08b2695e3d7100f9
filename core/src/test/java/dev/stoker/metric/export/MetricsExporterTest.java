package dev.stoker.metric.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import dev.stoker.metric.Measurable;
import dev.stoker.metric.Meter;
import dev.stoker.metric.Metric;
import dev.stoker.metric.Registry;
import dev.stoker.metric.Snapshot;
import dev.stoker.metric.SnapshotBoard;
import dev.stoker.metric.SnapshotBoards;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MetricsExporterTest {
    private static final double NEVER = 1e6;

    @TempDir
    private Path folder;

    private final Registry registry = new Registry();
    private final List<String> warnings = new ArrayList<>();
    private long samples = 5;

    private MetricsExporter start(Destination... destinations) {
        return MetricsExporter.start(registry, "feed", "feed-rank0", List.of(destinations), NEVER, warnings::add);
    }

    private Meter feed() {
        Meter meter = registry.feed(3, List.of("/data/trä\"in.stk", "/data/more.stk"));
        meter.attach(metric -> switch (metric) {
            case FEED_SAMPLES -> samples;
            case FEED_WAIT -> 1_500_000_000L;
            case FEED_THREADS -> 2;
            default -> 0;
        });
        return meter;
    }

    @Test
    void countersNeverFall() {
        Measurable first = metric -> metric == Metric.FEED_SAMPLES ? 7 : metric == Metric.FEED_THREADS ? 2 : 0;
        Meter meter = registry.feed(0, List.of("a/"));
        meter.attach(first);
        assertThat(meter.read().get(Metric.FEED_SAMPLES)).isEqualTo(7);
        meter.detach(first);
        meter.detach(first);
        assertThat(meter.read().get(Metric.FEED_SAMPLES)).isEqualTo(7);
        assertThat(meter.read().get(Metric.FEED_THREADS)).isZero();
        registry.feed(0, List.of("/other/a")).attach(first);
        assertThat(meter.read().get(Metric.FEED_SAMPLES)).isEqualTo(14);
        assertThat(meter.read().label("data")).isEqualTo("a");
    }

    @Test
    void metersAreBounded() {
        for (int i = 0; i < 3000; i++) {
            registry.feed(i, List.of("x"));
        }
        assertThat(registry.read()).hasSizeLessThan(1100);
        assertThat(registry.feed(2999, List.of("x"))).isSameAs(registry.feed(2998, List.of("y")));
        assertThat(registry.feed(5, List.of("x")).read().label("rank")).isEqualTo("5");
    }

    @Test
    void jsonLines() throws IOException {
        Path file = Files.writeString(folder.resolve("m.jsonl"), "{\"mine\":1}\n");
        feed();
        try (MetricsExporter metrics = start(new Destination.JsonLines(file))) {
            metrics.add(new Destination.JsonLines(file)); // once is enough
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3).startsWith("{\"mine\":1}");
        Map<?, ?> line = (Map<?, ?>) Json.parse(lines.get(2), "line");
        assertThat(line.get("source")).isEqualTo("feed");
        assertThat(line.get("rank")).isEqualTo("3");
        assertThat(line.get("data")).isEqualTo("trä\"in.stk+1");
        assertThat(line.get("feed_samples_total")).isEqualTo(5L);
        assertThat(line.get("feed_wait_seconds_total")).isEqualTo(1.5);
        assertThat(((Map<?, ?>) Json.parse(lines.get(1), "line")).get("process_cores"))
                .isNotNull();
    }

    @Test
    void aFullDiskIsToldOnceAndCounted() {
        Path full = Path.of("/dev/full");
        MetricsExporter metrics = MetricsExporter.start(
                registry, "feed", "feed", List.of(new Destination.JsonLines(full)), 1, warnings::add);
        try (metrics) {
            while (registry.read().getFirst().get(Metric.LOST) < 2) {
                Thread.onSpinWait();
            }
        }
        assertThat(warnings)
                .containsExactly("metrics cannot be written: [/dev/full] No space left on device; work continues; lost"
                        + " snapshots are counted in process_metrics_lost_total");
        assertThat(registry.read().getFirst().get(Metric.LOST)).isGreaterThanOrEqualTo(3);
    }

    @Test
    void aPlaceThatCannotBeWrittenIsRefusedAtOnce() throws IOException {
        Path missing = folder.resolve("none/m.jsonl");
        assertThatThrownBy(() -> start(new Destination.JsonLines(missing)))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + missing + "] cannot be written: there is no such file or folder");
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> start(new Destination.TensorBoard(file)))
                .isInstanceOf(StokerException.class)
                .hasMessageStartingWith("[" + file.resolve("feed-rank0") + "] cannot be written: ");
    }

    @Test
    void tensorBoardGetsRates() throws IOException, InterruptedException {
        feed();
        try (MetricsExporter _ = start(new Destination.TensorBoard(folder.resolve("runs")))) {
            Thread.sleep(20); // a rate needs time to pass between two snapshots
            samples = 105;
        }
        Path run = folder.resolve("runs/feed-rank0");
        try (Stream<Path> files = Files.list(run)) {
            Path only = files.toList().getFirst();
            assertThat(only.getFileName().toString()).startsWith("events.out.tfevents.");
            List<String> events = records(Files.readAllBytes(only));
            assertThat(events).hasSize(2);
            assertThat(events.get(0)).contains("brain.Event:2");
            assertThat(events.get(1))
                    .contains("feed/samples_per_s/rank3/trä\"in.stk+1", "feed/threads/rank3/", "process/cores");
        }
    }

    /** The messages in a file of records, as text; every checksum is compared. */
    private static List<String> records(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        var messages = new ArrayList<String>();
        while (in.hasRemaining()) {
            int at = in.position();
            int length = Math.toIntExact(in.getLong());
            assertThat(in.getInt()).isEqualTo(masked(bytes, at, Long.BYTES));
            messages.add(new String(bytes, in.position(), length, StandardCharsets.UTF_8));
            in.position(in.position() + length);
            assertThat(in.getInt()).isEqualTo(masked(bytes, at + 12, length));
        }
        return messages;
    }

    private static int masked(byte[] bytes, int at, int length) {
        int crc = dev.stoker.io.Checksum.of(MemorySegment.ofArray(bytes).asSlice(at, length));
        return ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
    }

    @Test
    void eventsAreAsTheFormatHasThem() throws IOException {
        Path file = folder.resolve("events");
        try (var events = new EventFile(file, 1.0)) {
            events.write(2.0, 300, Map.of("a", Double.NaN));
        }
        String first = "09000000000000f03f" + "1a0d627261696e2e4576656e743a32";
        String second = "090000000000000040" + "10ac02" + "2a0a" + "0a08" + "0a0161" + "150000c07f";
        byte[] bytes = Files.readAllBytes(file);
        assertThat(hex(bytes, 12, 24)).isEqualTo(first);
        assertThat(hex(bytes, 12 + 24 + 4 + 12, second.length() / 2)).isEqualTo(second);
    }

    private static String hex(byte[] bytes, int at, int length) {
        return java.util.HexFormat.of().formatHex(bytes, at, at + length);
    }

    @Test
    void prometheusText() {
        feed();
        String text;
        try (MetricsExporter metrics = start()) {
            text = PrometheusText.of(metrics.snapshot());
        }
        assertThat(text)
                .contains(
                        "# HELP stoker_feed_samples_total Samples that were delivered.\n",
                        "# TYPE stoker_feed_samples_total counter\n",
                        "stoker_feed_samples_total{command=\"feed\",rank=\"3\",data=\"trä\\\"in.stk+1\"} 5.0\n",
                        "# TYPE stoker_feed_threads gauge\n")
                .doesNotContain("stoker_pack");
        assertThat(PrometheusText.number(Double.NEGATIVE_INFINITY)).isEqualTo("-Inf");
        assertThat(PrometheusText.number(Double.NaN)).isEqualTo("NaN");
    }

    @Test
    void prometheusPage() throws IOException {
        try (var server = new PrometheusServer("127.0.0.1", 0, () -> "page\n")) {
            assertThat(ask(server.port(), "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Content-Type: text/plain; version=0.0.4", "Content-Length: 5\r\n")
                    .endsWith("\r\n\r\npage\n");
            assertThat(ask(server.port(), "GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 404 ");
            assertThat(ask(server.port(), "POST /metrics HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 405 ");
            try (var silent = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                assertThat(ask(server.port(), "GET /metrics HTTP/1.1\r\n\r\n"))
                        .as("one that says nothing keeps others waiting for two seconds at most")
                        .endsWith("page\n");
                assertThat(silent.isConnected()).isTrue();
            }
        }
    }

    private static String ask(int port, String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port);
                InputStream in = socket.getInputStream()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aPortInUseIsRefused() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> start(new Destination.Prometheus("127.0.0.1", port)))
                    .isInstanceOf(StokerException.class)
                    .hasMessage(
                            "metrics: port " + port + " of 127.0.0.1 cannot be listened on (Address already in use);"
                                    + " stop the process listening there (`ss -ltnp` shows it), or choose another port");
        }
    }

    @Test
    void othersSeeTheBoard() throws IOException {
        feed();
        try (MetricsExporter metrics = start();
                var board = new SnapshotBoard()) {
            Snapshot shown = metrics.snapshot();
            board.show(shown);
            assertThat(SnapshotBoards.look()).contains(shown);
        }
        long mine = ProcessHandle.current().pid();
        assertThat(SnapshotBoards.look()).noneMatch(each -> each.pid() == mine);
    }
}

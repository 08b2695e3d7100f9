package dev.stoker.cli.feed;

import dev.stoker.cli.output.Report;
import dev.stoker.metric.Bottleneck;
import dev.stoker.metric.Metric;
import dev.stoker.metric.MetricSource;
import dev.stoker.metric.Snapshot;
import dev.stoker.metric.SnapshotBoards;
import dev.stoker.os.Terminal;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "Show your feeds, loaders, packs and runs on this node, live: each rank's throughput and its bottleneck.",
            "",
            "read, decode and idle are shares of the reader threads' time; waits is the share of its time that the training"
                    + " waited for data. High idle: the training is the bottleneck. High waits: reading is. Press Ctrl-C"
                    + " to quit."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker top                  live, until Ctrl-C",
            "  stoker top --once           print once, for scripts and logs",
            "  stoker top --json           print once, as JSON",
            "  srun --jobid 4711 --overlap stoker top --once    on the node of a Slurm job"
        })
public final class TopCommand implements Callable<Integer> {
    private static final int USUAL_WIDTH = 80;
    private static final long MILLIS = 1_000;
    /** Somewhat longer than a process takes from one snapshot to the next. */
    private static final long ONCE_MILLIS = 1_200;

    private static final String BEGIN = "\u001b[?1049h\u001b[?25l";
    private static final String END = "\u001b[?25h\u001b[?1049l";

    @Spec
    private CommandSpec spec;

    @Option(names = "--once", description = "Print once and exit (implied without a terminal).")
    private boolean once;

    @Option(names = "--json", description = "Print one JSON object and exit.")
    private boolean json;

    private final Map<Long, TopProcess> processes = new TreeMap<>();

    @Override
    public Integer call() throws InterruptedException {
        look();
        Thread.sleep(ONCE_MILLIS);
        look();
        Optional<Terminal> terminal = Terminal.now();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            report().print(out, true);
        } else if (once || terminal.isEmpty()) {
            draw(terminal, false).forEach(out::println);
        } else {
            follow(out);
        }
        out.flush();
        return 0;
    }

    /** Until the user ends it. */
    private void follow(PrintWriter out) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.print(END);
            System.out.flush();
        }));
        System.out.print(BEGIN);
        boolean isColoured = System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
        while (true) {
            Optional<Terminal> terminal = Terminal.now();
            List<String> lines = draw(terminal, isColoured);
            int rows = terminal.map(Terminal::rows).filter(n -> n > 0).orElse(lines.size() + 1);
            out.print("\u001b[H");
            // The last row stays empty: a line there would make the terminal scroll.
            lines.stream().limit(Math.max(1, rows - 1)).forEach(line -> out.print(line + "\u001b[K\r\n"));
            out.print("\u001b[J");
            out.flush();
            Thread.sleep(MILLIS);
            look();
        }
    }

    private void look() {
        var here = new HashSet<Long>();
        for (Snapshot snapshot : SnapshotBoards.look()) {
            here.add(snapshot.pid());
            processes
                    .computeIfAbsent(snapshot.pid(), _ -> new TopProcess(snapshot))
                    .see(snapshot);
        }
        processes.keySet().retainAll(here);
    }

    private List<String> draw(Optional<Terminal> terminal, boolean isColoured) {
        int width = terminal.map(Terminal::columns).filter(n -> n > 0).orElse(USUAL_WIDTH);
        String clock = LocalTime.now(ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        return new TopView(width, isColoured).draw(host(), clock, processes.values());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private Report report() {
        return new Report()
                .put("host", host())
                .put(
                        "processes",
                        processes.values().stream().map(TopCommand::describe).toList());
    }

    private static Map<String, Object> describe(TopProcess process) {
        Snapshot latest = process.latest();
        Bottleneck bottleneck = process.bottleneck();
        var object = new LinkedHashMap<String, Object>();
        object.put("pid", latest.pid());
        object.put("command", latest.command());
        object.put("cores", process.cores());
        object.put("cores_busy", process.coresBusy());
        object.put("limited_by", bottleneck.limit().name().toLowerCase(Locale.ROOT));
        object.put("bottleneck", bottleneck.sentence());
        object.put("feeds", feeds(process.feeds()));
        object.put("packs", totals(latest, MetricSource.PACK));
        object.put("runs", totals(latest, MetricSource.RUN));
        return object;
    }

    private static List<Map<String, Object>> feeds(Collection<TopProcess.Feed> feeds) {
        var all = new ArrayList<Map<String, Object>>();
        for (TopProcess.Feed feed : feeds) {
            Map<String, Object> object = new LinkedHashMap<>(feed.total().labels());
            object.put("samples_per_s", feed.perSecond(Metric.FEED_SAMPLES));
            object.put("bytes_per_s", feed.perSecond(Metric.FEED_BYTES));
            object.put("read_share", feed.threadShare(Metric.FEED_READ));
            object.put("decode_share", feed.threadShare(Metric.FEED_DECODE));
            object.put("idle_share", feed.threadShare(Metric.FEED_IDLE));
            object.put("wait_share", feed.waitShare());
            feed.total().values().forEach((metric, value) -> object.put(metric.label(), value));
            all.add(object);
        }
        return all;
    }

    private static List<Map<String, Object>> totals(Snapshot snapshot, MetricSource source) {
        var all = new ArrayList<Map<String, Object>>();
        snapshot.of(source).forEach(reading -> {
            Map<String, Object> object = new LinkedHashMap<>(reading.labels());
            object.put("phase", reading.note());
            reading.values().forEach((metric, value) -> object.put(metric.label(), value));
            all.add(object);
        });
        return all;
    }
}

package dev.stoker.metric.export;

import dev.stoker.StokerException;
import dev.stoker.metric.Metric;
import dev.stoker.metric.Registry;
import dev.stoker.metric.Snapshot;
import dev.stoker.metric.SnapshotBoard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots of a {@link Registry} in a thread of its own and brings them to the destinations; and shows them to
 * {@code stoker top}. A destination that cannot be written at all is refused when it is added. One that fails later is
 * told of once; its losses are counted, and it is tried again with every snapshot.
 */
public final class MetricsExporter implements AutoCloseable {
    /** Tells the processes of a {@code stoker run} apart from others. */
    public static final String RUN_VARIABLE = "STOKER_RUN";

    private static final long SHOW_MILLIS = 1_000;

    private final Registry registry;
    private final String command;
    private final String name;
    private final long everyMillis;
    private final Consumer<String> warn;
    private final Map<Destination, AutoCloseable> open = new LinkedHashMap<>();
    private final Set<Destination> failing = new LinkedHashSet<>();
    private @Nullable SnapshotBoard board;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("stoker-metrics").unstarted(this::tick);
    private boolean isClosed;

    private MetricsExporter(
            Registry registry, String command, String name, double everySeconds, Consumer<String> warn) {
        this.registry = registry;
        this.command = command;
        this.name = name;
        this.everyMillis = Math.round(everySeconds * 1000);
        this.warn = warn;
    }

    /**
     * Begins to take snapshots.
     *
     * @param command the sub-command that runs
     * @param name what TensorBoard calls this process, such as {@code feed-rank0}
     * @param everySeconds how often files are written; at least a second
     * @param warn is told, once for each, of destinations that fail later
     */
    public static MetricsExporter start(
            Registry registry,
            String command,
            String name,
            List<Destination> destinations,
            double everySeconds,
            Consumer<String> warn) {
        var metrics = new MetricsExporter(registry, command, name, everySeconds, warn);
        try {
            destinations.forEach(metrics::add);
        } catch (RuntimeException e) {
            metrics.closeAll();
            throw e;
        }
        metrics.thread.start();
        return metrics;
    }

    private static @Nullable SnapshotBoard board() {
        try {
            return new SnapshotBoard();
        } catch (IOException e) {
            return null; // a system without such memory; then `stoker top` does not see this process
        }
    }

    /** Adds a destination, unless it is one already. */
    public synchronized void add(Destination destination) {
        if (isClosed) {
            throw new StokerException("metrics end with the process, which is ending");
        }
        if (!open.containsKey(destination)) {
            open.put(destination, open(destination));
        }
    }

    private AutoCloseable open(Destination destination) {
        return switch (destination) {
            case Destination.Prometheus(String host, int port) ->
                new PrometheusServer(host, port, () -> PrometheusText.of(snapshot()));
            case Destination.TensorBoard(var folder) -> new TensorBoardWriter(folder, name, host(), snapshot());
            case Destination.JsonLines(var file) -> new JsonLinesWriter(file);
        };
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** What the process has counted by now. */
    public Snapshot snapshot() {
        return new Snapshot(
                System.currentTimeMillis() / 1e3,
                ProcessHandle.current().pid(),
                command,
                Objects.requireNonNullElse(System.getenv(RUN_VARIABLE), ""),
                registry.read());
    }

    /** Work that is over within a second is not burdened with any of this. */
    private synchronized void tick() {
        long start = System.nanoTime();
        for (long second = 1; awaitUntil(start + second * SHOW_MILLIS * 1_000_000); second++) {
            if (second == 1) {
                board = board();
            }
            Snapshot snapshot = snapshot();
            if (board != null) {
                board.show(snapshot);
            }
            if (second * SHOW_MILLIS % everyMillis < SHOW_MILLIS) {
                write(snapshot);
            }
        }
    }

    /** Returns false when this is closed meanwhile. */
    private synchronized boolean awaitUntil(long time) {
        try {
            for (long left = time - System.nanoTime(); !isClosed && left > 0; left = time - System.nanoTime()) {
                wait(left / 1_000_000 + 1);
            }
            return !isClosed;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void write(Snapshot snapshot) {
        for (Map.Entry<Destination, AutoCloseable> each : open.entrySet()) {
            if (each.getValue() instanceof SnapshotWriter writer) {
                write(each.getKey(), writer, snapshot);
            }
        }
    }

    private void write(Destination destination, SnapshotWriter writer, Snapshot snapshot) {
        try {
            writer.write(snapshot);
        } catch (IOException e) {
            registry.lost();
            if (failing.add(destination)) {
                warn.accept("metrics cannot be written: " + e.getMessage()
                        + "; work continues; lost snapshots are counted in " + Metric.LOST.label());
            }
        }
    }

    /** Closes the pages, so that another process can have their ports; files are written on. */
    public synchronized void leavePorts() {
        for (Destination each : List.copyOf(open.keySet())) {
            if (each instanceof Destination.Prometheus) {
                close(open.remove(each));
            }
        }
    }

    /** Writes a last snapshot. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        if (!open.isEmpty()) {
            write(snapshot());
        }
        closeAll();
    }

    private synchronized void closeAll() {
        isClosed = true;
        notifyAll();
        open.values().forEach(MetricsExporter::close);
        open.clear();
        close(board);
    }

    private static void close(@Nullable AutoCloseable each) {
        try {
            if (each != null) {
                each.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e); // none of them fails here
        }
    }
}

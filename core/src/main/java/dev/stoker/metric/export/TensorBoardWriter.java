package dev.stoker.metric.export;

import dev.stoker.metric.MeterSnapshot;
import dev.stoker.metric.Snapshot;
import dev.stoker.os.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what people want to see in curves: of counters how much came in each second, of states what they are. Each
 * process writes a run of its own, a folder below the given one: of several files in one folder TensorBoard follows only
 * the newest.
 */
final class TensorBoardWriter implements SnapshotWriter {
    private static final String TOTAL = "_total";

    private final EventFile file;
    private final double start;
    private @Nullable Snapshot last;

    /** @param run the name of the folder below, such as {@code feed-rank0} */
    TensorBoardWriter(Path folder, String run, String host, Snapshot first) {
        Path own = folder.resolve(run);
        try {
            Files.createDirectories(own);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(own, e);
        }
        start = first.time();
        last = first;
        file = new EventFile(
                own.resolve("events.out.tfevents." + (long) start + "." + host + "." + first.pid() + "."
                        + Math.round(start % 1 * 1e6)),
                start);
    }

    @Override
    public void write(Snapshot snapshot) throws IOException {
        Snapshot before = last;
        double seconds = before == null ? 0 : snapshot.time() - before.time();
        if (before == null || seconds <= 0) {
            return;
        }
        last = snapshot;
        var scalars = new LinkedHashMap<String, Double>();
        for (MeterSnapshot reading : snapshot.since(before).readings()) {
            add(scalars, reading, seconds);
        }
        file.write(snapshot.time(), Math.round(snapshot.time() - start), scalars);
    }

    private static void add(Map<String, Double> scalars, MeterSnapshot reading, double seconds) {
        var suffix = new StringBuilder();
        reading.labels()
                .forEach((name, value) -> suffix.append('/')
                        .append(name.equals("rank") ? "rank" : "")
                        .append(value));
        String source = reading.source().label();
        reading.values().forEach((metric, value) -> {
            // TensorBoard groups by what stands before the first slash.
            String name = source + "/" + metric.label().substring(source.length() + 1);
            boolean isRate = metric.isCounter();
            String tag = isRate ? name.substring(0, name.length() - TOTAL.length()) + "_per_s" : name;
            scalars.put(tag + suffix, isRate ? value / seconds : value);
        });
    }

    @Override
    public void close() {
        file.close();
    }
}

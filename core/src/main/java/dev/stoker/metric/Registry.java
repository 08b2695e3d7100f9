package dev.stoker.metric;

import dev.stoker.PublicApi;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All meters of a process. Safe for any number of threads. */
@PublicApi
public final class Registry {
    /** A loop that opens other data again and again is counted under one name from here on. */
    private static final int MOST_METERS = 1000;

    private static final Map<String, String> OTHERS = Map.of("data", "(others)");

    private record Name(MetricSource source, Map<String, String> labels) {}

    private final Map<Name, Meter> meters = new LinkedHashMap<>();
    private final ProcessMetrics process = new ProcessMetrics();

    /** An empty one, but for the process itself. */
    public Registry() {
        meter(MetricSource.PROCESS, Map.of()).attach(process);
    }

    /** The meter with these labels, which is made if need be. */
    public synchronized Meter meter(MetricSource source, Map<String, String> labels) {
        boolean isRoom = meters.size() < MOST_METERS || meters.containsKey(new Name(source, labels));
        Map<String, String> kept = isRoom ? Collections.unmodifiableMap(new LinkedHashMap<>(labels)) : OTHERS;
        return meters.computeIfAbsent(new Name(source, kept), _ -> new Meter(source, kept));
    }

    /** The meter of a rank's feeds of some files, which go by the name of the first. */
    public Meter feed(int rank, List<String> files) {
        var labels = new LinkedHashMap<String, String>();
        labels.put("rank", Integer.toString(rank));
        labels.put("data", name(files));
        return meter(MetricSource.FEED, labels);
    }

    private static String name(List<String> files) {
        String first = files.getFirst();
        String whole = first.endsWith("/") ? first.substring(0, first.length() - 1) : first;
        String last = whole.substring(whole.lastIndexOf('/') + 1);
        return files.size() == 1 ? last : last + "+" + (files.size() - 1);
    }

    /** Counts a snapshot that could not be written. */
    public void lost() {
        process.lost();
    }

    /** What all meters say now. */
    public List<MeterSnapshot> read() {
        List<Meter> all;
        synchronized (this) {
            all = new ArrayList<>(meters.values());
        }
        process.update();
        return all.stream().map(Meter::read).toList();
    }
}

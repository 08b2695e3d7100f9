package dev.stoker.metric;

import dev.stoker.StokerException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a process had counted at one moment.
 *
 * @param time in seconds since 1970
 * @param command the sub-command, such as {@code feed}
 * @param run the name of the {@code stoker run} that it is part of; empty if none
 */
public record Snapshot(double time, long pid, String command, String run, List<MeterSnapshot> readings) {
    /** The readings of one source. */
    public List<MeterSnapshot> of(MetricSource source) {
        return readings.stream().filter(each -> each.source() == source).toList();
    }

    /** The reading of the same meter. */
    public Optional<MeterSnapshot> like(MeterSnapshot reading) {
        return readings.stream().filter(reading::isLike).findFirst();
    }

    /** What came since an earlier snapshot of the same process. */
    public Snapshot since(Snapshot earlier) {
        List<MeterSnapshot> differences = readings.stream()
                .map(each -> earlier.like(each).map(each::since).orElse(each))
                .toList();
        return new Snapshot(time, pid, command, run, differences);
    }

    Map<String, Object> toJson() {
        var object = new LinkedHashMap<String, Object>();
        object.put("time", time);
        object.put("pid", pid);
        object.put("command", command);
        object.put("run", run);
        object.put("readings", readings.stream().map(MeterSnapshot::toJson).toList());
        return object;
    }

    static Snapshot fromJson(@Nullable Object json) {
        if (json instanceof Map<?, ?> object
                && object.get("time") instanceof Number time
                && object.get("pid") instanceof Long pid
                && object.get("command") instanceof String command
                && object.get("run") instanceof String run
                && object.get("readings") instanceof List<?> list) {
            var readings = new ArrayList<MeterSnapshot>();
            for (Object each : list) {
                if (each instanceof Map<?, ?> reading) {
                    readings.add(MeterSnapshot.fromJson(reading));
                }
            }
            return new Snapshot(time.doubleValue(), pid, command, run, readings);
        }
        throw new StokerException("these are not the metrics of a process");
    }
}

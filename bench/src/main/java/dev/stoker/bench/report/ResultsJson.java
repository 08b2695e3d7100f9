package dev.stoker.bench.report;

import dev.stoker.bench.Statistics;
import dev.stoker.bench.sweep.Answer;
import dev.stoker.bench.sweep.Answers;
import dev.stoker.bench.sweep.Measurement;
import dev.stoker.bench.sweep.SweepResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that was measured, with every round's figure. */
public final class ResultsJson {
    private ResultsJson() {}

    /** As {@link dev.stoker.json.Json} writes it. */
    public static Map<String, @Nullable Object> of(SweepResult result, Origin origin) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("date", origin.time().toOffsetDateTime().toString());
        values.put("version", origin.version());
        values.put("command", origin.command());
        values.put("machine", result.machine().toJson());
        values.put("samples", result.samples());
        values.put("bytes", result.bytes());
        values.put(
                "data",
                result.workload().data() == null
                        ? null
                        : String.valueOf(result.workload().data()));
        values.put("seed", result.workload().seed());
        values.put("repeats", result.repeats());
        values.put("seconds", result.seconds());
        values.put("base", result.base().toJson());
        values.put(
                "results",
                result.measurements().stream().map(each -> of(result, each)).toList());
        values.put("answers", Answers.of(result).stream().map(Answer::sentence).toList());
        values.put(
                "questions", Answers.of(result).stream().map(Answer::question).toList());
        values.put("best", result.best().map(best -> of(result, best)).orElse(null));
        values.put("notes", new ArrayList<>(result.notes()));
        return values;
    }

    /** One format with one setting. */
    static Map<String, @Nullable Object> of(SweepResult result, Measurement measurement) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("format", measurement.format());
        values.put("setting", measurement.setting().nameFrom(result.base()));
        values.putAll(measurement.setting().toJson());
        values.put("mmap", measurement.isMapped());
        values.put("failed", measurement.isMeasured() ? null : String.valueOf(measurement.failed()));
        values.put("container", measurement.containerPath());
        values.put("container_bytes", measurement.containerBytes());
        values.put("pack_seconds", measurement.packSeconds());
        if (measurement.isMeasured()) {
            double[] rates = measurement.rates();
            values.put("samples_per_s", measurement.samplesPerSecond());
            values.put("lowest", Statistics.lowest(rates));
            values.put("highest", Statistics.highest(rates));
            values.put("bytes_per_s", measurement.bytesPerSecond());
            values.put("raw", Arrays.stream(rates).boxed().toList());
            values.put("latency_us", latency(measurement));
            values.put("cpu_us_per_sample", measurement.cpuMicrosPerSample());
            values.put("memory_bytes", (long) measurement.memoryBytes());
            values.put("buffer_bytes", (long) measurement.bufferBytes());
        }
        return values;
    }

    private static Map<String, @Nullable Object> latency(Measurement measurement) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("p50", measurement.waitMicros(0.5));
        values.put("p90", measurement.waitMicros(0.9));
        values.put("p99", measurement.waitMicros(0.99));
        values.put("max", measurement.waitMicros(1));
        return values;
    }
}

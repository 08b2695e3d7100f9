package dev.stoker.bench.sweep;

import dev.stoker.bench.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** One format with one setting: a pass of every round, or the reason why there is none. */
public final class Measurement {
    private final String format;
    private final Setting setting;
    private final List<Pass> passes = new ArrayList<>();
    private @Nullable Packed packed;
    private @Nullable String failed;
    private long epochs = 1;

    Measurement(String format, Setting setting) {
        this.format = format;
        this.setting = setting;
    }

    public String format() {
        return format;
    }

    /** What was asked for. */
    public Setting setting() {
        return setting;
    }

    /** Whether the files were mapped, whatever was asked for. */
    public boolean isMapped() {
        return setting.mmap() && (packed == null || packed.mapping() != Mapping.NEVER);
    }

    /** Why there are no figures; null if there are. */
    public @Nullable String failed() {
        return failed;
    }

    public boolean isMeasured() {
        return failed == null && !passes.isEmpty();
    }

    /** Samples per second, round by round. */
    public double[] rates() {
        return each(Pass::samplesPerSecond);
    }

    public double samplesPerSecond() {
        return Statistics.median(rates());
    }

    /** Bytes per second, round by round. */
    double[] byteRates() {
        return each(pass -> pass.bytes() / pass.seconds());
    }

    public double bytesPerSecond() {
        return Statistics.median(byteRates());
    }

    /** The time that a part of all batches of all rounds was not waited for longer than, in microseconds. */
    public double waitMicros(double part) {
        return Statistics.quantile(
                part,
                passes.stream()
                        .flatMapToDouble(pass -> Arrays.stream(pass.waits()))
                        .toArray());
    }

    /** Over all rounds together: the system counts in steps of ten milliseconds. */
    public double cpuMicrosPerSample() {
        double seconds = passes.stream().mapToDouble(Pass::cpuSeconds).sum();
        return 1e6 * seconds / passes.stream().mapToLong(Pass::samples).sum();
    }

    /** Of the process that read, without what it had mapped. */
    public double memoryBytes() {
        return Statistics.median(each(Pass::memoryBytes));
    }

    public double bufferBytes() {
        return Statistics.median(each(Pass::bufferBytes));
    }

    /** Where the container lies and what it took to write it; null if it could not be written. */
    @Nullable
    Packed packed() {
        return packed;
    }

    /** The container's place; null if it could not be written. */
    public @Nullable String containerPath() {
        return packed == null ? null : packed.path();
    }

    public long containerBytes() {
        return packed == null ? 0 : packed.bytes();
    }

    public double packSeconds() {
        return packed == null ? 0 : packed.seconds();
    }

    void packed(Packed container) {
        packed = container;
    }

    void add(Pass pass) {
        passes.add(pass);
    }

    void fail(String reason) {
        failed = reason;
    }

    long epochs() {
        return epochs;
    }

    void epochs(long count) {
        epochs = count;
    }

    private double[] each(ToDoubleFunction<Pass> figure) {
        return passes.stream().mapToDouble(figure).toArray();
    }
}

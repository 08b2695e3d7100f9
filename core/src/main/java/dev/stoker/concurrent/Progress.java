package dev.stoker.concurrent;

import dev.stoker.PublicApi;
import java.util.concurrent.atomic.LongAdder;

/** How far a long work is; written by its workers, looked at by whoever shows it. */
@PublicApi
public final class Progress {
    private final LongAdder samples = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private volatile String phase = "listing";
    private volatile long totalSamples;
    private volatile long totalBytes;
    private final String unit;

    public Progress() {
        this("samples");
    }

    /** Of what is counted. */
    public Progress(String unit) {
        this.unit = unit;
    }

    public void begin(String phase, long totalSamples, long totalBytes) {
        this.totalSamples = totalSamples;
        this.totalBytes = totalBytes;
        samples.reset();
        bytes.reset();
        this.phase = phase;
    }

    public void phase(String name) {
        phase = name;
    }

    public void add(long doneSamples, long doneBytes) {
        samples.add(doneSamples);
        bytes.add(doneBytes);
    }

    /** What is being done: listing, reworking, compressing, planning, filling, sealing, copying. */
    public String phase() {
        return phase;
    }

    /** What is counted, in the plural. */
    public String unit() {
        return unit;
    }

    public long samples() {
        return samples.sum();
    }

    public long bytes() {
        return bytes.sum();
    }

    public long totalSamples() {
        return totalSamples;
    }

    public long totalBytes() {
        return totalBytes;
    }
}

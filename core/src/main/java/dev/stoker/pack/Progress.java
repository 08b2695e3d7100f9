package dev.stoker.pack;

import java.util.concurrent.atomic.LongAdder;

/** How far a pack is; written by its workers, looked at by whoever shows it. */
public final class Progress {
    private final LongAdder samples = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private volatile String phase = "listing";
    private volatile long totalSamples;
    private volatile long totalBytes;

    void begin(String phase, long totalSamples, long totalBytes) {
        this.totalSamples = totalSamples;
        this.totalBytes = totalBytes;
        samples.reset();
        bytes.reset();
        this.phase = phase;
    }

    void phase(String name) {
        phase = name;
    }

    void add(long doneSamples, long doneBytes) {
        samples.add(doneSamples);
        bytes.add(doneBytes);
    }

    /** What is being done: listing, compressing, planning, filling, sealing. */
    public String phase() {
        return phase;
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

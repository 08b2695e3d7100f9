package dev.stoker.bench.sweep;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How samples are stored and read while they are measured.
 *
 * @param mmap whether bytes are copied from the mapped file; else every value is a positional read
 * @param fixedLength whether all samples have the same number of bytes
 * @param workers threads that read
 * @param cold whether the files are dropped from the page cache before every pass
 */
public record Setting(boolean mmap, boolean fixedLength, boolean shuffle, int workers, int batch, boolean cold) {

    /** The one thing that can differ between two settings of a sweep. */
    public enum Change {
        NONE,
        MMAP,
        FIXED_LENGTH,
        SHUFFLE,
        WORKERS,
        BATCH,
        COLD
    }

    Setting withMmap(boolean value) {
        return new Setting(value, fixedLength, shuffle, workers, batch, cold);
    }

    Setting withFixedLength(boolean value) {
        return new Setting(mmap, value, shuffle, workers, batch, cold);
    }

    Setting withShuffle(boolean value) {
        return new Setting(mmap, fixedLength, value, workers, batch, cold);
    }

    Setting withWorkers(int value) {
        return new Setting(mmap, fixedLength, shuffle, value, batch, cold);
    }

    Setting withBatch(int value) {
        return new Setting(mmap, fixedLength, shuffle, workers, value, cold);
    }

    Setting withCold(boolean value) {
        return new Setting(mmap, fixedLength, shuffle, workers, batch, value);
    }

    /** What makes this setting another than the base. */
    public Change changeFrom(Setting base) {
        if (mmap != base.mmap) {
            return Change.MMAP;
        }
        if (fixedLength != base.fixedLength) {
            return Change.FIXED_LENGTH;
        }
        if (shuffle != base.shuffle) {
            return Change.SHUFFLE;
        }
        if (workers != base.workers) {
            return Change.WORKERS;
        }
        if (batch != base.batch) {
            return Change.BATCH;
        }
        return cold != base.cold ? Change.COLD : Change.NONE;
    }

    /** What makes this setting another than the base, in a few words. */
    public String nameFrom(Setting base) {
        return switch (changeFrom(base)) {
            case NONE -> "base";
            case MMAP -> mmap ? "mapped" : "not mapped";
            case FIXED_LENGTH -> fixedLength ? "fixed length" : "variable length";
            case SHUFFLE -> shuffle ? "shuffled" : "in order";
            case WORKERS -> workers + (workers == 1 ? " worker" : " workers");
            case BATCH -> "batch " + batch;
            case COLD -> cold ? "cold" : "warm";
        };
    }

    /** The whole setting in words. */
    public String describe() {
        return (mmap ? "mapped" : "positional reads")
                + (fixedLength ? ", fixed length" : ", variable length")
                + (shuffle ? ", shuffled" : ", in order")
                + ", " + workers + (workers == 1 ? " worker" : " workers")
                + ", batches of " + batch
                + (cold ? ", from storage" : ", from memory");
    }

    /** What {@link #toJson} wrote. */
    static Setting of(Message message) {
        return new Setting(
                message.flag("mmap"),
                message.flag("fixed_length"),
                message.flag("shuffle"),
                (int) message.number("workers"),
                (int) message.number("batch"),
                message.flag("cold"));
    }

    public Map<String, @Nullable Object> toJson() {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("mmap", mmap);
        values.put("fixed_length", fixedLength);
        values.put("shuffle", shuffle);
        values.put("workers", workers);
        values.put("batch", batch);
        values.put("cold", cold);
        return values;
    }
}

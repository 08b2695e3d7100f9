package dev.stoker.bench.advise;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the storage and the memory give. What could not be measured is null.
 *
 * @param notes what to know about the figures, such as that the cache could not be dropped
 */
public record StorageTrial(
        @Nullable Metadata metadata,
        @Nullable Reads reads,
        @Nullable Packed packed,
        List<String> notes) {
    /** Requests at once where many are tried; as many as a feed has for positional reads. */
    public static final int MANY = 16;

    public StorageTrial {
        notes = List.copyOf(notes);
    }

    /**
     * Opening files that were not opened before.
     *
     * @param one files per second, one after another
     * @param many the same with {@value #MANY} at once; 0 if there were too few files to try
     */
    public record Metadata(double medianMicros, double p99Micros, double one, double many) {
        /** How many times as fast many requests at once are. */
        double parallelism() {
            return one > 0 && many > 0 ? many / one : 1;
        }
    }

    /**
     * Reading at random: files whole, or up to a MiB somewhere in large ones.
     *
     * @param one one after another
     * @param many {@value #MANY} at once
     * @param again the same as {@code many}, once more: as a later epoch finds it
     * @param sequential bytes per second from front to back in the largest file; 0 if none is large enough
     * @param isCold whether the first of them came from the storage, not from the page cache
     */
    public record Reads(Pace one, Pace many, Pace again, double sequential, boolean isCold) {}

    /** So many reads, and bytes, each second. */
    public record Pace(double reads, double bytes) {}

    /**
     * Some of the samples, packed on trial and fed from memory, in turn with reading the same as loose files.
     *
     * @param samples per second, packed
     * @param loose per second, read with {@value #MANY} requests at once after they were read before
     * @param tried how many there were
     */
    public record Packed(double samples, double loose, int tried) {
        /** How many times as fast as loose files. */
        double factor() {
            return samples / loose;
        }
    }
}

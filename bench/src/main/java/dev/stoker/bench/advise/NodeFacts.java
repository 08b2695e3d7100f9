package dev.stoker.bench.advise;

import org.jspecify.annotations.Nullable;

/**
 * What the allocation has.
 *
 * @param memoryBytes what can be written to memory now, by the tightest of all limits
 * @param memoryLimit which one that is
 * @param local the node's own disk; null if there is none that can be staged to, and then why is {@code localProblem}
 * @param mountRefusal why nothing can be mounted; null if it can
 * @param dataFilesystem the kind of filesystem that holds the data
 * @param isLustre whether what is packed would lie on Lustre
 * @param outputFreeBytes what is free where it would lie
 */
public record NodeFacts(
        int cores,
        long memoryBytes,
        String memoryLimit,
        @Nullable LocalDisk local,
        String localProblem,
        @Nullable String mountRefusal,
        String dataFilesystem,
        boolean isLustre,
        long outputFreeBytes) {
    /** A disk of the node. */
    public record LocalDisk(String path, String filesystem, long freeBytes) {}
}

package dev.stoker.format;

import dev.stoker.index.IndexLayout;
import org.jspecify.annotations.Nullable;

/**
 * A container before its first byte is written: a pure function of the samples' sizes and small values. Any number of
 * writers fill its runs in any order; the same plan gives the same bytes however many they are.
 *
 * <p>Immutable, and used by many threads at once.
 */
public interface Plan {
    /** What the four methods below answer from. */
    PlanOutline outline();

    /** The Index that the finished container will have, in itself or as its sidecar. */
    default IndexLayout index() {
        return outline().index();
    }

    /** Bytes of the finished container (of all its files together, where it is a folder). */
    default long length() {
        return outline().length();
    }

    default int runs() {
        return outline().runs().size();
    }

    default Run run(int number) {
        return outline().runs().get(number);
    }

    /** Gives the bytes of a run, exactly as many as its length. */
    void fill(int run, RunWriter out);

    /**
     * How many runs, the last ones, are filled when all others are: what they hold depends on the values, as a
     * directory with the checksum of each does. They give no values, and get what was {@linkplain RunWriter#note noted}.
     */
    default int lateRuns() {
        return 0;
    }

    /** Whether the container is a folder: with the files of {@link #folder}, or else with one for each sample. */
    default boolean isTree() {
        return folder() != null;
    }

    /** The files of a container that is a folder, where they are planned; null for others. */
    default @Nullable PlannedFolder folder() {
        return null;
    }
}

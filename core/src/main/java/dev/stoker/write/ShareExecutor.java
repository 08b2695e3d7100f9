package dev.stoker.write;

import java.io.Serializable;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Processes that fill the shares of a plan and know nothing of each other, such as the tasks of a cluster: any of them
 * may die, be started again, or run twice at once. One process plans, makes the files, has them filled elsewhere, and
 * seals.
 */
public interface ShareExecutor {
    /** Into how many shares the runs are cut, as far as is known now; two at least. */
    int shares();

    /**
     * Has every share filled, by {@link Packer#fillShare} in whatever process. When this returns, nobody fills any more.
     *
     * @param filled is told of each share once, by one thread at a time
     */
    void fill(Work work, Consumer<Filled> filled);

    /**
     * What all who fill have to know.
     *
     * @param fingerprint of the plan, which each of them makes by itself
     * @param stripe see {@link PlanShares#cut}
     * @param earlier the runs that an earlier try filled, with the checksums that they should have
     */
    record Work(String fingerprint, int shares, long stripe, Map<Integer, Integer> earlier) implements Serializable {}

    /**
     * A share that is filled.
     *
     * @param runs those that were filled, with their checksums
     * @param adopted how many more an earlier try had filled
     * @param edges the name of the file with what was written into pages that several shares have a part of
     */
    record Filled(Map<Integer, Integer> runs, int adopted, String edges, long samples, long bytes)
            implements Serializable {}
}

package dev.stoker.job;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.os.FileProbe;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The processes that work together, as one of them sees them. A process that is alone is a team too, so that what is
 * done by one and by many is written once.
 *
 * <p>Every method that waits, and {@link #requireGoing}, throws a {@link StokerException} when the job cannot go on: a
 * rank failed, or was not heard of for too long. It names that rank.
 */
@PublicApi
public interface Team {
    /** Twice as long as NFS remembers by default. */
    Duration LATEST_SEEN = Duration.ofMinutes(2);

    /** What a rank can tell the others, in the order in which it comes. */
    enum Step {
        /** It takes part. */
        JOINED,
        /** Rank 0: the files are there, and others may write into them. */
        PREPARED,
        /** It has written its share. */
        FILLED,
        /** Rank 0: the output has its name. */
        SEALED,
        /** It needs nothing any more. */
        LEFT
    }

    /** Takes what another rank gave; valid during the call. */
    interface Gift {
        void from(int rank, MemorySegment bytes);
    }

    int rank();

    int world();

    default boolean leads() {
        return rank() == 0;
    }

    /** The first of {@code count} pieces that is a rank's share; the share ends where that of the next begins. */
    default long share(long count, int rank) {
        return count / world() * rank + Math.min(rank, count % world());
    }

    /**
     * Gives what this rank found out to all others, and takes what each of them found out.
     *
     * <p>All ranks exchange the same things in the same order.
     *
     * @param what names it in messages
     * @param about what the bytes are about, in at most 255 bytes; ranks that differ here are refused
     */
    void exchange(String what, String about, MemorySegment mine, Gift gift);

    /** Says that this rank came so far. */
    void tell(Step step, String text);

    /** Waits until rank 0 has told this; returns its text. */
    String awaitLeader(Step step);

    /** Waits until every other rank has told this; returns their texts. Only for rank 0, which watches all. */
    List<String> awaitAll(Step step);

    /**
     * Waits until this node sees what rank 0 has made. A client of a network filesystem that has looked for it before may
     * remember for a while that it was not there.
     */
    default void awaitSeen(Path made) {
        for (var pause = new Backoff(); !FileProbe.exists(made); pause.sleep()) {
            requireGoing();
            if (pause.isLonger(LATEST_SEEN)) {
                throw new StokerException(
                        made,
                        "was made by rank 0, but the node of rank " + rank()
                                + " has not seen it within " + LATEST_SEEN.toSeconds()
                                + " s: are all ranks given the same shared folder?");
            }
        }
    }

    /** Throws if the job cannot go on; costs nothing. */
    void requireGoing();

    /** Does the work, and leaves: well if it ends well, else with the reason, so that all others end too. */
    <T> T run(Supplier<T> work);

    /** A process on its own. */
    Team ALONE = new Alone();

    /** Has nobody to wait for. */
    final class Alone implements Team {
        private Alone() {}

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public int world() {
            return 1;
        }

        @Override
        public void exchange(String what, String about, MemorySegment mine, Gift gift) {}

        @Override
        public void tell(Step step, String text) {}

        @Override
        public String awaitLeader(Step step) {
            throw new IllegalStateException("rank 0 does not wait for itself");
        }

        @Override
        public List<String> awaitAll(Step step) {
            return List.of();
        }

        @Override
        public void requireGoing() {}

        @Override
        public <T> T run(Supplier<T> work) {
            return work.get();
        }
    }
}

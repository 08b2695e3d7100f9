package dev.stoker.job;

import dev.stoker.StokerException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What one process found out about a source, such as the sizes of all files, for others that come later and take it
 * instead of looking themselves. Serializable, so that it can be sent to them.
 */
public final class SharedListing implements Serializable {
    private static final long serialVersionUID = 1L;

    private record Found(String what, String about, byte[] bytes) implements Serializable {}

    private final int others;
    private final List<Found> found = new ArrayList<>();

    /**
     * Nothing yet.
     *
     * @param others how many will take it
     */
    public SharedListing(int others) {
        this.others = others;
    }

    /** The team of the process that looks: it looks at everything, and what it exchanges is kept. */
    public Team finder() {
        return new Side(0);
    }

    /** The team of one that takes what was found, in the same order. */
    public Team taker() {
        return new Side(1);
    }

    /** Rank 0 has all there is to do, the others nothing. */
    private final class Side implements Team {
        private final int rank;
        private int taken;

        Side(int rank) {
            this.rank = rank;
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int world() {
            return others + 1;
        }

        @Override
        public long share(long count, int of) {
            return of == 0 ? 0 : count;
        }

        @Override
        public void exchange(String what, String about, MemorySegment mine, Gift gift) {
            if (leads()) {
                found.add(new Found(what, about, mine.toArray(ValueLayout.JAVA_BYTE)));
                return;
            }
            Found theirs = taken < found.size() ? found.get(taken++) : null;
            if (theirs == null || !theirs.what.equals(what) || !theirs.about.equals(about)) {
                throw new StokerException("the source differs between the nodes: " + what + " of " + about
                        + " are expected here, but rank 0 found "
                        + (theirs == null ? "no more" : theirs.what + " of " + theirs.about)
                        + "; the source is changing, or is not the same folder everywhere");
            }
            gift.from(0, MemorySegment.ofArray(theirs.bytes));
        }

        @Override
        public void tell(Step step, String text) {}

        @Override
        public String awaitLeader(Step step) {
            throw new IllegalStateException("nobody waits for a finding");
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

package dev.stoker.order;

import dev.stoker.PublicApi;

/**
 * What stands at every position of every epoch, as a pure function; therefore a {@link Position} resumes a mix or a
 * subset as exactly as one dataset.
 */
@PublicApi
public interface SampleView {
    /** The number of positions in an epoch. */
    long size();

    /** How many datasets the places are of. */
    int datasets();

    /** What must agree, beside the datasets and their sizes, for positions to mean the same samples. */
    String name();

    SampleRef at(long seed, long epoch, long position);

    /** The places of one epoch, for those who look up many; may be asked by many threads at once. */
    default Places epoch(long seed, long epoch) {
        return position -> at(seed, epoch, position);
    }

    /** What stands at every position of one epoch. */
    interface Places {
        SampleRef at(long position);
    }

    /** The whole of one dataset. */
    static SampleView of(Order order) {
        return new Whole(order);
    }

    /** See {@link #of}. */
    record Whole(Order order) implements SampleView {
        @Override
        public long size() {
            return order.size();
        }

        @Override
        public int datasets() {
            return 1;
        }

        @Override
        public String name() {
            return order.name();
        }

        @Override
        public SampleRef at(long seed, long epoch, long position) {
            return new SampleRef(0, order.at(seed, epoch, position));
        }

        @Override
        public Places epoch(long seed, long epoch) {
            Permutation permutation = order.epoch(seed, epoch);
            return position -> new SampleRef(0, permutation.at(position));
        }
    }
}

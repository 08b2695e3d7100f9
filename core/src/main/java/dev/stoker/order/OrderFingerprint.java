package dev.stoker.order;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;

/**
 * What must agree for a position to mean the same sample.
 *
 * @param seed the seed of the order
 * @param size the number of positions in an epoch
 * @param dataset the fingerprint of the dataset, or of the datasets of a mix
 * @param order the name of the order or view: {@link SampleView#name()}
 */
@PublicApi
public record OrderFingerprint(long seed, long size, String dataset, String order) {
    public OrderFingerprint {
        if (size < 1 || size > Order.MAX_SIZE) {
            throw new StokerException("an epoch should have between 1 and " + Order.MAX_SIZE + " positions but has "
                    + size + (size == 0 ? "; the dataset is empty" : ""));
        }
    }

    /** Refuses positions that were counted in another order than this one; {@code where} names their file. */
    public void requireSame(OrderFingerprint found, String where) {
        require(where, "dataset", dataset, found.dataset);
        require(where, "number of positions", size, found.size);
        require(where, "order", order, found.order);
        require(where, "seed", seed, found.seed);
    }

    private static void require(String where, String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new StokerException(
                    where,
                    what + " should be " + expected + " but is " + found
                            + ", so it refers to different samples. Use the file of this job, or the options that it was"
                            + " written with");
        }
    }
}

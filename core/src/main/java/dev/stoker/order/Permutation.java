package dev.stoker.order;

/** The order of one epoch: a bijection of {@code [0, size)}. Immutable; safe for any number of threads. */
public sealed interface Permutation
        permits IdentityPermutation, TablePermutation, FeistelPermutation, BlockPermutation {
    /** The number of samples, and of positions. */
    long size();

    /** The sample at a position. */
    long at(long position);

    /** The position at which a sample stands: {@code at(positionOf(sample)) == sample}. */
    long positionOf(long sample);

    /** The permutation of {@code [0, size)} that a key stands for; uniform over keys. */
    static Permutation keyed(long size, long key) {
        return size <= TablePermutation.MAX_SIZE
                ? new TablePermutation(Math.toIntExact(size), key)
                : new FeistelPermutation(size, key);
    }
}

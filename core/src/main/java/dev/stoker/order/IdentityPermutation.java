package dev.stoker.order;

import java.util.Objects;

/** Every sample at its own position. */
record IdentityPermutation(long size) implements Permutation {
    @Override
    public long at(long position) {
        return Objects.checkIndex(position, size);
    }

    @Override
    public long positionOf(long sample) {
        return Objects.checkIndex(sample, size);
    }
}

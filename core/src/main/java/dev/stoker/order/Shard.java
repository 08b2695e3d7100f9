package dev.stoker.order;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import java.util.Iterator;

/** One process of a job: its rank and the number of processes (world). */
@PublicApi
public record Shard(int rank, int world) {
    /** The only process of a job. */
    public static final Shard WHOLE = new Shard(0, 1);

    public Shard {
        if (world < 1) {
            throw new StokerException("world should be at least 1 but is " + world);
        }
        if (rank < 0 || rank >= world) {
            throw new StokerException(
                    "rank should be at least 0 and less than the world, " + world + ", but is " + rank);
        }
    }

    /** Whether the element at an index of any sequence is this rank's: one element in turn, beginning with rank 0. */
    public boolean owns(long index) {
        return index % world == rank;
    }

    /** This rank's elements of a stream, also of one whose length nobody knows. */
    public <T> Iterator<T> share(Iterator<? extends T> stream, TailPolicy tail) {
        return new StreamShare<>(stream, this, tail);
    }
}

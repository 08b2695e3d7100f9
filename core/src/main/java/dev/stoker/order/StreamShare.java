package dev.stoker.order;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A rank's elements of a stream of unknown length. Whether a round over the ranks is full is known only when the stream
 * has been read to the end of the round; for {@link TailPolicy#EVEN} the first elements are kept, since they are the padding:
 * at most {@code rank} of them are ever needed.
 */
final class StreamShare<T> implements Iterator<T> {
    private final Iterator<? extends T> stream;
    private final Shard shard;
    private final TailPolicy tail;
    private final List<T> firstElements = new ArrayList<>();
    private boolean isFirstRound = true;
    private boolean ended;
    private @Nullable T next;

    StreamShare(Iterator<? extends T> stream, Shard shard, TailPolicy tail) {
        this.stream = stream;
        this.shard = shard;
        this.tail = tail;
    }

    @Override
    public boolean hasNext() {
        if (next == null && !ended) {
            next = readRound();
        }
        return next != null;
    }

    @Override
    public T next() {
        T element = hasNext() ? next : null;
        if (element == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return element;
    }

    private @Nullable T readRound() {
        T own = null;
        int read = 0;
        for (; read < shard.world() && stream.hasNext(); read++) {
            T element = stream.next();
            if (read == shard.rank()) {
                own = element;
            }
            if (isFirstRound && read < shard.rank() && tail == TailPolicy.EVEN) {
                firstElements.add(element);
            }
        }
        isFirstRound = false;
        if (read == shard.world()) {
            return own;
        }
        ended = true;
        return switch (tail) {
            case RAGGED -> own;
            case DROP -> null;
            case EVEN ->
                own != null || read == 0 ? own : firstElements.get((shard.rank() - read) % firstElements.size());
        };
    }
}

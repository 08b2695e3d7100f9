package dev.stoker.ledger;

import dev.stoker.order.Shard;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;

/** How often each position of an epoch is accounted for: never, once, or more often; one chunk at a time. */
final class EpochCoverage implements LedgerReader.Visitor {
    /** How many positions are held at once, in two bit maps of 128 MB together. */
    static final long CHUNK = 1L << 29;

    /** Takes ranges in ascending order; {@code times} is 0, 1, or 2 for more than once. */
    interface RangeSink {
        void accept(long from, long to, int times);
    }

    private final long epoch;
    private final long size;
    private final Collection<Path> files;
    private final long[] once;
    private final long[] twice;
    private final long[] totals = new long[Outcome.values().length];
    private final long chunk;
    private long chunkStart;
    private boolean isOurEpoch;

    EpochCoverage(long epoch, long size, Collection<Path> files) {
        this(epoch, size, files, CHUNK);
    }

    EpochCoverage(long epoch, long size, Collection<Path> files, long chunk) {
        this.epoch = epoch;
        this.size = size;
        this.files = files;
        this.chunk = Math.min(chunk, size);
        int words = Math.toIntExact((this.chunk + Long.SIZE - 1) / Long.SIZE);
        this.once = new long[words];
        this.twice = new long[words];
    }

    /** How many positions had an outcome, doubled ones included; known after {@link #forEachRange}. */
    long total(Outcome outcome) {
        return totals[outcome.code()];
    }

    void forEachRange(RangeSink sink) {
        Arrays.fill(totals, 0);
        for (chunkStart = 0; chunkStart < size; chunkStart += chunk) {
            Arrays.fill(once, 0);
            Arrays.fill(twice, 0);
            for (Path file : files) {
                isOurEpoch = false;
                LedgerReader.read(file, this);
            }
            emit(Math.min(chunk, size - chunkStart), sink);
        }
    }

    @Override
    public void epoch(long found, Shard shard) {
        isOurEpoch = found == epoch;
    }

    @Override
    public void run(Outcome outcome, long first, long count, long step) {
        if (!isOurEpoch) {
            return;
        }
        if (chunkStart == 0) {
            totals[outcome.code()] += count;
        }
        if (outcome == Outcome.PADDED) {
            return;
        }
        long last = Math.min(first + (count - 1) * step, Math.min(chunkStart + chunk, size) - 1) - chunkStart;
        long skipped = first >= chunkStart ? 0 : (chunkStart - first + step - 1) / step;
        for (long at = first + skipped * step - chunkStart; at <= last; at += step) {
            int word = (int) (at >>> 6);
            long bit = 1L << at;
            twice[word] |= once[word] & bit;
            once[word] |= bit;
        }
    }

    private void emit(long positions, RangeSink sink) {
        long from = 0;
        int times = times(0);
        for (long at = 1; at < positions; ) {
            if ((at & 63) == 0 && at + Long.SIZE <= positions && isUniform((int) (at >>> 6), times)) {
                at += Long.SIZE;
                continue;
            }
            int found = times(at);
            if (found != times) {
                sink.accept(chunkStart + from, chunkStart + at, times);
                from = at;
                times = found;
            }
            at++;
        }
        sink.accept(chunkStart + from, chunkStart + positions, times);
    }

    private boolean isUniform(int word, int times) {
        return once[word] == (times > 0 ? -1L : 0) && twice[word] == (times > 1 ? -1L : 0);
    }

    private int times(long at) {
        int word = (int) (at >>> 6);
        return (int) (((once[word] >>> at) & 1) + ((twice[word] >>> at) & 1));
    }
}

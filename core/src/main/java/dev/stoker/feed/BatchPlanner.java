package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.order.Position;
import dev.stoker.order.RankShare;
import dev.stoker.order.SampleView;
import dev.stoker.order.Shard;
import dev.stoker.order.TailPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Cuts what a rank delivers, epoch after epoch, into batches. Used by one thread at a time. */
final class BatchPlanner {
    /** What decides about the cuts. */
    record Rules(
            SampleView view,
            Shard shard,
            TailPolicy tail,
            int batch,
            LastBatch lastBatch,
            long epochs,
            long stopAfter,
            boolean oneDatasetEach) {}

    private final Rules rules;
    private final Supplier<ReadMode> modes;
    private final List<BatchRange.Closing> empty = new ArrayList<>();
    private Position position;
    private long samplesLeft;
    // The epoch that is being cut; none yet if the share is null.
    private @Nullable RankShare share;
    private SampleView.@Nullable Places places;
    private ReadMode mode = ReadMode.MAP;
    private long end;
    private long next;

    /**
     * Cuts from a position on.
     *
     * @param modes asked at the beginning of every epoch how to read it
     */
    BatchPlanner(Rules rules, Position start, Supplier<ReadMode> modes) {
        this.rules = rules;
        this.position = start;
        this.modes = modes;
        this.samplesLeft = rules.stopAfter();
    }

    /** The same cuts from a position on, as an own sequence. */
    BatchPlanner again(Position start) {
        return new BatchPlanner(rules, start, () -> mode);
    }

    /** The next batch, or null when the feed is over. */
    @Nullable
    BatchRange next() {
        while (position.epoch() < rules.epochs() && samplesLeft > 0) {
            RankShare current = share;
            SampleView.Places standing = places;
            if (current == null || standing == null) {
                begin();
                continue;
            }
            if (next < end) {
                return cut(current, standing);
            }
            empty.add(new BatchRange.Closing(position.epoch(), current, 0));
            leaveEpoch(current);
        }
        return null;
    }

    /** Epochs at the end of the feed of which the rank delivers nothing. */
    List<BatchRange.Closing> lastEmptyEpochs() {
        return empty;
    }

    private void begin() {
        mode = modes.get(); // may fail; then the epoch has not begun
        RankShare begun = position.share(rules.shard(), rules.tail());
        share = begun;
        places = rules.view().epoch(position.identity().seed(), position.epoch());
        end = rules.lastBatch().delivered(begun.count(), rules.batch());
        next = 0;
    }

    private BatchRange cut(RankShare current, SampleView.Places standing) {
        long limit = Math.min(end, next + Math.min(rules.batch(), samplesLeft));
        long to = rules.oneDatasetEach() ? endOfDatasets(current, standing, next, limit) : limit;
        boolean closes = to == end;
        BatchRange cut = new BatchRange(position, current, standing, next, to, closes, mode, List.copyOf(empty));
        empty.clear();
        samplesLeft -= to - next;
        next = to;
        if (closes) {
            position = position.nextEpoch();
            share = null;
        }
        return cut;
    }

    /**
     * Where the dataset of any rank changes, not just that of this one: ranks that cut at different places would deliver
     * different numbers of batches, and after as many batches each would stand somewhere else.
     */
    private static long endOfDatasets(RankShare current, SampleView.Places standing, long next, long limit) {
        int[] first = datasets(current.round(next), standing);
        long to = next + 1;
        while (to < limit && isPrefix(datasets(current.round(to), standing), first)) {
            to++;
        }
        return to;
    }

    private static int[] datasets(long[] positions, SampleView.Places standing) {
        return Arrays.stream(positions)
                .mapToInt(position -> standing.at(position).dataset())
                .toArray();
    }

    /** Whether two rounds agree; the last one may be of fewer ranks. */
    private static boolean isPrefix(int[] datasets, int[] of) {
        return Arrays.equals(datasets, 0, datasets.length, of, 0, datasets.length);
    }

    private void leaveEpoch(RankShare current) {
        if (rules.epochs() == Long.MAX_VALUE
                && position.cursor() == 0
                && position.beyond().isEmpty()) {
            throw new StokerException(
                    "rank " + rules.shard().rank() + " of " + rules.shard().world() + " has "
                            + current.count() + " samples per epoch, fewer than one batch of " + rules.batch()
                            + "; use a smaller batch or world, or keep the last batch and a ragged or even tail");
        }
        position = position.nextEpoch();
        share = null;
    }
}

package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.order.Mix;
import dev.stoker.order.Order;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Position;
import dev.stoker.order.SampleView;
import dev.stoker.order.Shard;
import dev.stoker.order.TailPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Batches of one dataset each, over several ranks: in every small setting all ranks cut the same steps, and any step is one
 * to stop at. What they should deliver is worked out here from lists, without shares, cursors or cuts.
 */
class SeparateBatchesTest {
    private static final long SEED = 5;
    private static final int[][] SIZES = {{5, 3}, {1, 9}, {4, 4, 4}, {13, 2, 7}, {33, 33}};

    /** What is asked for, and what stands at every position of epoch 0. */
    private record Setting(Mix view, int world, int batch, TailPolicy tail, LastBatch lastBatch) {
        OrderFingerprint identity() {
            return new OrderFingerprint(SEED, view.size(), "data", view.name());
        }

        int dataset(long position) {
            return view.at(SEED, 0, position).dataset();
        }

        Setting with(int newWorld, int newBatch) {
            return new Setting(view, newWorld, newBatch, tail, lastBatch);
        }

        @Override
        public String toString() {
            return view.name() + ": world " + world + ", batch " + batch + ", " + tail + ", " + lastBatch;
        }

        Setting keeping() {
            return new Setting(view, world, batch, tail, LastBatch.KEEP);
        }
    }

    @ParameterizedTest
    @EnumSource(TailPolicy.class)
    void allRanksCutTheSameStepsAndAnyIsOneToStopAt(TailPolicy tail) {
        for (int[] sizes : SIZES) {
            for (int batch = 1; batch <= 7; batch++) {
                Mix view = mix(sizes, batch);
                for (int world = 1; world <= 4; world++) {
                    for (LastBatch lastBatch : LastBatch.values()) {
                        judge(new Setting(view, world, batch, tail, lastBatch));
                    }
                }
            }
        }
    }

    private static Mix mix(int[] sizes, int run) {
        var parts = new ArrayList<Mix.Part>();
        for (int size : sizes) {
            parts.add(new Mix.Part(SampleView.of(Order.shuffled(size)), 1 + size % 3));
        }
        return Mix.of(parts, run);
    }

    private static void judge(Setting setting) {
        List<List<BatchRange>> delivered = deliver(setting, Position.start(setting.identity()));
        List<List<List<Long>>> expected = expected(setting, everyPosition(setting));
        assertThat(positions(delivered)).as("%s", setting).isEqualTo(expected);
        int steps = delivered.stream().mapToInt(List::size).max().orElseThrow();
        for (int step = 0; step < steps; step++) {
            resumeAfter(setting, delivered, steps, step);
        }
    }

    /** Stops after a step, and lets each number of ranks deliver the rest. */
    private static void resumeAfter(Setting setting, List<List<BatchRange>> delivered, int steps, int step) {
        var states = new ArrayList<Position>();
        var before = new HashMap<Long, Integer>();
        long dropped = 0;
        for (List<BatchRange> cuts : delivered) {
            if (cuts.size() < steps && cuts.size() <= step + 1 && setting.lastBatch() == LastBatch.DROP) {
                dropped += setting.batch() - 1L; // at most what would not have filled one more batch
            }
            // A rank that a ragged tail leaves without a last step does not know whether the others have done it.
            if (cuts.size() == steps || (cuts.size() > step + 1)) {
                states.add(cuts.get(step).after());
            }
            cuts.stream().limit(step + 1L).forEach(cut -> count(cut, before));
        }
        assertThat(states).as("%s step %d", setting, step).containsOnly(states.getFirst());
        boolean isOver = states.getFirst().epoch() > 0;
        for (int world = 1; world <= 4 && !isOver; world++) {
            Setting other = setting.keeping().with(world, 1 + (setting.batch() + world) % 7);
            Map<Long, Integer> all = new HashMap<>(before);
            for (List<BatchRange> cuts : deliver(other, states.getFirst())) {
                cuts.forEach(cut -> count(cut, all));
            }
            assertThat(all.values())
                    .as("%s step %d, resumed by %d", setting, step, world)
                    .containsOnly(1);
            long droppable = dropped + (setting.tail() == TailPolicy.DROP ? world - 1 : 0);
            assertThat(setting.view().size() - all.size())
                    .as("%s step %d, resumed by %d", setting, step, world)
                    .isBetween(0L, droppable);
        }
    }

    private static void count(BatchRange cut, Map<Long, Integer> delivered) {
        for (long k = cut.from(); k < cut.to(); k++) {
            if (!cut.share().isPadding(k)) {
                delivered.merge(cut.share().position(k), 1, Integer::sum);
            }
        }
    }

    /** The cuts of every rank in what remains of the epoch. */
    private static List<List<BatchRange>> deliver(Setting setting, Position from) {
        var ranks = new ArrayList<List<BatchRange>>();
        for (int rank = 0; rank < setting.world(); rank++) {
            var rules = new BatchPlanner.Rules(
                    setting.view(),
                    new Shard(rank, setting.world()),
                    setting.tail(),
                    setting.batch(),
                    setting.lastBatch(),
                    from.epoch() + 1,
                    Long.MAX_VALUE,
                    true);
            var cuts = new BatchPlanner(rules, from, () -> ReadMode.MAP);
            var all = new ArrayList<BatchRange>();
            for (BatchRange cut = cuts.next(); cut != null; cut = cuts.next()) {
                all.add(cut);
            }
            ranks.add(all);
        }
        return ranks;
    }

    private static List<List<List<Long>>> positions(List<List<BatchRange>> ranks) {
        return ranks.stream()
                .map(cuts -> cuts.stream().map(SeparateBatchesTest::positions).toList())
                .toList();
    }

    private static List<Long> positions(BatchRange cut) {
        var positions = new ArrayList<Long>();
        for (long k = cut.from(); k < cut.to(); k++) {
            positions.add(cut.share().position(k));
        }
        return positions;
    }

    // ---- what should be delivered

    private static List<Long> everyPosition(Setting setting) {
        return IntStream.range(0, (int) setting.view().size())
                .mapToObj(i -> (long) i)
                .toList();
    }

    /** For each rank its batches, and for each batch the positions. */
    private static List<List<List<Long>>> expected(Setting setting, List<Long> remaining) {
        List<List<Long>> rounds = rounds(setting, remaining);
        var ranks = new ArrayList<List<List<Long>>>();
        for (int rank = 0; rank < setting.world(); rank++) {
            int own = rank;
            List<Long> share = rounds.stream()
                    .filter(round -> own < round.size())
                    .map(round -> round.get(own))
                    .toList();
            int end = setting.lastBatch() == LastBatch.KEEP
                    ? share.size()
                    : share.size() - share.size() % setting.batch();
            var batches = new ArrayList<List<Long>>();
            for (int from = 0; from < end; ) {
                int to = Math.min(end, stepEnd(setting, rounds, from));
                batches.add(share.subList(from, to));
                from = to;
            }
            ranks.add(batches);
        }
        return ranks;
    }

    private static List<List<Long>> rounds(Setting setting, List<Long> remaining) {
        var rounds = new ArrayList<List<Long>>();
        for (int from = 0; from < remaining.size(); from += setting.world()) {
            var round = new ArrayList<>(remaining.subList(from, Math.min(remaining.size(), from + setting.world())));
            if (round.size() < setting.world() && setting.tail() == TailPolicy.DROP) {
                break;
            }
            for (long again = 0; round.size() < setting.world() && setting.tail() == TailPolicy.EVEN; again++) {
                round.add(again % setting.view().size());
            }
            rounds.add(round);
        }
        return rounds;
    }

    /** The first round that is of the next step: the batch is full, or some rank's dataset changes. */
    private static int stepEnd(Setting setting, List<List<Long>> rounds, int from) {
        int to = from + 1;
        while (to < rounds.size() && to - from < setting.batch()) {
            for (int rank = 0; rank < rounds.get(to).size(); rank++) {
                if (setting.dataset(rounds.get(to).get(rank))
                        != setting.dataset(rounds.get(from).get(rank))) {
                    return to;
                }
            }
            to++;
        }
        return to;
    }
}

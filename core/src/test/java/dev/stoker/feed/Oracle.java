package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Judges what was delivered, and knows nothing of how: no order, share, cursor, view or ledger. It is told which sample
 * stood at which position, and knows which samples there are.
 */
final class Oracle {
    /** Of every so many positions of a mix each dataset should have its share. */
    private static final int MIX_WINDOW = 64;

    private final List<Set<Long>> parts;
    private final long[] weights;
    private final long size;

    /** What stood at each position of each epoch; the same every time. */
    private final TreeMap<Long, TreeMap<Long, List<Long>>> seen = new TreeMap<>();

    private final TreeMap<Long, Long> repeated = new TreeMap<>();

    /**
     * Judges a view.
     *
     * @param parts the samples of each dataset that the view is of
     * @param weights of the datasets
     * @param size the number of positions of an epoch
     */
    Oracle(List<Set<Long>> parts, long[] weights, long size) {
        this.parts = parts;
        this.weights = weights;
        this.size = size;
    }

    /** A sample was delivered. */
    void note(long epoch, long position, int dataset, long sample) {
        var standing = List.of((long) dataset, sample);
        var before = seen.computeIfAbsent(epoch, _ -> new TreeMap<>()).putIfAbsent(position, standing);
        if (before != null) {
            assertThat(standing).as("position %d of epoch %d", position, epoch).isEqualTo(before);
            repeated.merge(epoch, 1L, Long::sum);
        }
    }

    /** How many deliveries of an epoch were of positions that had been delivered before. */
    long repeated(long epoch) {
        return repeated.getOrDefault(epoch, 0L);
    }

    /** How many positions of an epoch were not delivered. */
    long missing(long epoch) {
        return size - seen.getOrDefault(epoch, new TreeMap<>()).size();
    }

    /** Every epoch has every position, and the samples that it should. */
    void judge(long epochs) {
        boolean isMix = parts.size() > 1 || parts.getFirst().size() != size;
        boolean isWhole = true;
        for (long epoch = 0; epoch < epochs; epoch++) {
            TreeMap<Long, List<Long>> positions = seen.getOrDefault(epoch, new TreeMap<>());
            if (!positions.isEmpty()) {
                assertThat(positions.firstKey()).isNotNegative();
                assertThat(positions.lastKey()).isLessThan(size);
            }
            isWhole &= missing(epoch) == 0;
            if (!isMix) {
                judgeSamples("epoch " + epoch, parts.getFirst(), samples(positions, 0), missing(epoch) == 0);
            }
        }
        assertThat(seen.tailMap(epochs)).as("what came after the last epoch").isEmpty();
        if (isMix && isWhole) {
            judgeMix();
        }
    }

    private static List<Long> samples(SortedMap<Long, List<Long>> positions, int dataset) {
        return positions.values().stream()
                .filter(standing -> standing.getFirst() == dataset)
                .map(List::getLast)
                .toList();
    }

    private static void judgeSamples(String what, Set<Long> expected, List<Long> found, boolean isWhole) {
        var distinct = new HashSet<>(found);
        assertThat(distinct).as("distinct samples of " + what).hasSameSizeAs(found);
        if (isWhole) {
            assertThat(distinct).as("samples of " + what).isEqualTo(expected);
        } else {
            assertThat(expected).as("samples of " + what).containsAll(distinct);
        }
    }

    /** Each dataset goes through its samples, pass after pass, however the epochs fall; and has its share throughout. */
    private void judgeMix() {
        long all = 0;
        for (long weight : weights) {
            all += weight;
        }
        for (int dataset = 0; dataset < parts.size(); dataset++) {
            var sequence = new ArrayList<Long>();
            long positions = 0;
            for (var epoch : seen.values()) {
                sequence.addAll(samples(epoch, dataset));
                positions += size;
                double share = (double) positions * weights[dataset] / all;
                assertThat((double) sequence.size())
                        .as("positions of dataset %d of %d", dataset, positions)
                        .isBetween(share - MIX_WINDOW, share + MIX_WINDOW);
            }
            int length = parts.get(dataset).size();
            for (int from = 0; from < sequence.size(); from += length) {
                List<Long> pass = sequence.subList(from, Math.min(sequence.size(), from + length));
                judgeSamples("pass at " + from, parts.get(dataset), pass, pass.size() == length);
            }
        }
    }
}

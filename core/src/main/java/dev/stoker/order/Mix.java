package dev.stoker.order;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Several datasets mixed by weights. Positions count on through the epochs of the mix; each dataset goes through its own
 * order, epoch after epoch, every sample once in each, however the epochs of the mix fall. If the weights are the sizes,
 * every epoch of the mix is one of each dataset.
 *
 * <p>Of every {@link #WINDOW} positions each dataset has its share (see {@link WeightedRoundRobin}), but which positions is shuffled:
 * were they left in an even pattern, a world of two would give one rank the first and the other the second of two
 * datasets of equal weight.
 */
@PublicApi
public final class Mix implements SampleView {
    static final int WINDOW = 64;
    private static final long WINDOW_KEYS = -1;
    private static final long PART_SEEDS = -2;

    private final List<Part> parts;
    private final long size;
    private final long run;
    private final WeightedRoundRobin deal;
    // Made of final fields only, so that threads may share it without a lock.
    private Window lastWindow;

    /** For every turn of a window the part and the number of the turn among the part's own. */
    private record Window(long seed, long epoch, long start, int[] parts, long[] elements) {}

    /** A view of one dataset, and its weight: the chance of a position to be of it is its share of all weights. */
    public record Part(SampleView view, long weight) {
        public Part {
            if (view.datasets() != 1) {
                throw new StokerException("a part of a mix should be of one dataset but is of " + view.datasets());
            }
            if (weight < 1) {
                throw new StokerException("a weight should be at least 1 but is " + weight);
            }
        }
    }

    /** A mix whose epoch has {@code size} positions. */
    public Mix(List<Part> parts, long size) {
        this(parts, size, 1);
    }

    /**
     * A mix that stays with a dataset for {@code run} positions at a time, for batches of one dataset each.
     *
     * @param size a multiple of {@code run}: a run that an epoch cuts short would leave out samples of its dataset
     */
    public Mix(List<Part> parts, long size, long run) {
        this.parts = List.copyOf(parts);
        this.size = size;
        this.run = run;
        if (run < 1 || size % run != 0) {
            throw new StokerException(
                    "the epoch of a mix should have a multiple of its run, " + run + ", of positions but has " + size);
        }
        this.deal = new WeightedRoundRobin(
                this.parts.stream().mapToLong(Part::weight).toArray());
        if (size < 1 || size > Order.MAX_SIZE) {
            throw new StokerException(
                    "the epoch of a mix should have between 1 and " + Order.MAX_SIZE + " positions but has " + size);
        }
        this.lastWindow = makeWindow(0, 0, 0);
    }

    /** A mix whose epoch has as many positions as its datasets have samples together. */
    public static Mix of(List<Part> parts) {
        return new Mix(
                parts, parts.stream().mapToLong(part -> part.view().size()).sum());
    }

    /** A mix in runs whose epoch has about as many positions as its datasets have samples together. */
    public static Mix of(List<Part> parts, long run) {
        long sum = parts.stream().mapToLong(part -> part.view().size()).sum();
        return new Mix(parts, (sum + run - 1) / run * run, run);
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int datasets() {
        return parts.size();
    }

    @Override
    public String name() {
        return parts.stream()
                .map(part -> part.weight() + " x " + part.view().size() + " in "
                        + part.view().name())
                .collect(Collectors.joining("; ", run == 1 ? "mix 1 (" : "mix 1 run=" + run + " (", ")"));
    }

    @Override
    public SampleRef at(long seed, long epoch, long position) {
        long turn = Objects.checkIndex(position, size) / run;
        int offset = (int) (turn % WINDOW);
        Window window = window(seed, epoch, turn - offset);
        int part = window.parts[offset];
        long element = window.elements[offset] * run + position % run;
        SampleView view = parts.get(part).view();
        long partSeed = SplitMix64.subkey(SplitMix64.key(seed, PART_SEEDS), part);
        return new SampleRef(
                part,
                view.at(partSeed, element / view.size(), element % view.size()).sample());
    }

    private Window window(long seed, long epoch, long start) {
        Window window = lastWindow;
        if (window.seed != seed || window.epoch != epoch || window.start != start) {
            window = makeWindow(seed, epoch, start);
            lastWindow = window;
        }
        return window;
    }

    private Window makeWindow(long seed, long epoch, long start) {
        long turns = size / run;
        int length = (int) Math.min(WINDOW, turns - start);
        long first = Math.addExact(Math.multiplyExact(epoch, turns), start);
        long key = SplitMix64.subkey(SplitMix64.subkey(SplitMix64.key(seed, WINDOW_KEYS), epoch), start / WINDOW);
        Permutation shuffle = Permutation.keyed(length, key);
        int[] shuffled = new int[length];
        long[] next = new long[parts.size()];
        Arrays.fill(next, Long.MAX_VALUE);
        for (int i = 0; i < length; i++) {
            WeightedRoundRobin.Turn turn = deal.at(first + shuffle.at(i));
            shuffled[i] = turn.part();
            next[turn.part()] = Math.min(next[turn.part()], turn.element());
        }
        // The elements stay in their sequence: what is shuffled is only whose turn it is.
        long[] elements = new long[length];
        for (int i = 0; i < length; i++) {
            elements[i] = next[shuffled[i]]++;
        }
        return new Window(seed, epoch, start, shuffled, elements);
    }
}

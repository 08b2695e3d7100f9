package dev.stoker.feed;

import dev.stoker.StokerException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Several datasets mixed by weights. Positions count on through the epochs of the mix; each dataset goes through its own
 * order, epoch after epoch, every sample once in each, however the epochs of the mix fall. Of every {@link #WINDOW}
 * positions each dataset has its share, evenly dealt and then shuffled: were the deal left in its even pattern, a world
 * of two would give one rank the first and the other the second of two datasets of equal weight.
 *
 * <p>Dealing is by halves: the parts are split in two of about equal weight, again and again; of the first m elements
 * that reach a split, m times the left part's share of the weight, rounded, go left.
 */
public final class Mix implements View {
    static final int WINDOW = 64;
    /** The greatest sum of weights; keeps the products of the deal within 64 bits. */
    public static final long MAX_WEIGHT = 1L << 30;

    private static final long WINDOW_KEYS = -1;
    private static final long PART_SEEDS = -2;

    private final List<Part> parts;
    private final long size;
    /** The sums of the weights of the parts before each part, and of all. */
    private final long[] weightBefore;

    private Window lastWindow;

    private record Window(long key, Permutation positions) {}

    /** A view of one dataset, and its weight: the chance of a position to be of it is its share of all weights. */
    public record Part(View view, long weight) {
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
        this.parts = List.copyOf(parts);
        this.size = size;
        this.weightBefore = new long[parts.size() + 1];
        for (int i = 0; i < parts.size(); i++) {
            weightBefore[i + 1] = Math.addExact(weightBefore[i], parts.get(i).weight());
        }
        if (parts.isEmpty() || weightBefore[parts.size()] > MAX_WEIGHT) {
            throw new StokerException("a mix should have parts whose weights sum up to at most " + MAX_WEIGHT
                    + " but has " + parts.size() + " with a sum of " + weightBefore[parts.size()]);
        }
        if (size < 1 || size > Order.MAX_SIZE) {
            throw new StokerException(
                    "the epoch of a mix should have between 1 and " + Order.MAX_SIZE + " positions but has " + size);
        }
        this.lastWindow = makeWindow(0);
    }

    /** A mix whose epoch has as many positions as its datasets have samples together. */
    public static Mix of(List<Part> parts) {
        return new Mix(parts, parts.stream().mapToLong(part -> part.view().size()).sum());
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
                .map(part -> part.weight() + " x " + part.view().size() + " in " + part.view().name())
                .collect(Collectors.joining("; ", "mix 1 (", ")"));
    }

    @Override
    public Place at(long seed, long epoch, long position) {
        long stream = Math.addExact(Math.multiplyExact(epoch, size), position);
        long window = stream / WINDOW;
        long windowKey = Keys.subkey(Keys.key(seed, WINDOW_KEYS), window);
        long index = window * WINDOW + window(windowKey).at(stream % WINDOW);
        int first = 0;
        int end = parts.size();
        while (end - first > 1) {
            int middle = split(first, end);
            long total = weightBefore[end] - weightBefore[first];
            long left = weightBefore[middle] - weightBefore[first];
            long toLeft = dealtLeft(index, left, total);
            if (dealtLeft(index + 1, left, total) > toLeft) {
                end = middle;
                index = toLeft;
            } else {
                first = middle;
                index -= toLeft;
            }
        }
        View view = parts.get(first).view();
        long partSeed = Keys.subkey(Keys.key(seed, PART_SEEDS), first);
        return new Place(first, view.at(partSeed, index / view.size(), index % view.size()).sample());
    }

    /** Where the parts {@code [first, end)} are split: behind the one with which half of their weight is reached. */
    private int split(int first, int end) {
        int middle = first + 1;
        while (middle < end - 1 && 2 * (weightBefore[middle] - weightBefore[first]) < weightBefore[end] - weightBefore[first]) {
            middle++;
        }
        return middle;
    }

    /** {@code count * left / total}, rounded. */
    private static long dealtLeft(long count, long left, long total) {
        return count / total * left + (2 * (count % total) * left + total) / (2 * total);
    }

    private Permutation window(long key) {
        Window window = lastWindow;
        if (window.key != key) {
            window = makeWindow(key);
            lastWindow = window;
        }
        return window.positions;
    }

    private static Window makeWindow(long key) {
        return new Window(key, Permutation.keyed(WINDOW, key));
    }
}

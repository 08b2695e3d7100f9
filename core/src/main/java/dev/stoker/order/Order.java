package dev.stoker.order;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sample at every position of every epoch, as a pure function: no index array, so an order of 10^10 samples takes
 * no more memory than one of ten. {@code docs/format/order.md} specifies it to the bit as <i>order 1</i>.
 */
@PublicApi
public sealed interface Order {
    /** The greatest number of samples that an order is defined for. */
    long MAX_SIZE = 1L << 48;

    /** The number of samples, and of positions in an epoch. */
    long size();

    /** The order of one epoch, for those who look up many positions of it. */
    Permutation epoch(long seed, long epoch);

    /** The version, kind and parameters, without the size: what must agree for positions to mean the same samples. */
    String name();

    /** The sample at a position of an epoch. */
    default long at(long seed, long epoch, long position) {
        return epoch(seed, epoch).at(position);
    }

    /** The position of a sample in an epoch. */
    default long positionOf(long seed, long epoch, long sample) {
        return epoch(seed, epoch).positionOf(sample);
    }

    /** The samples as they are numbered, in every epoch. */
    static Order sequential(long size) {
        return new Sequential(size);
    }

    /** Every permutation with the same chance, another one for every seed and epoch. */
    static Order shuffled(long size) {
        return new Shuffled(size);
    }

    /**
     * Shuffled runs, for storage that hates random reads: {@code run} consecutive samples are read together, and the
     * samples of {@code window} runs are mixed with each other. {@link OrderRandomness} measures what this loses.
     */
    static Order blocks(long size, long run, long window) {
        return new Blocks(size, run, window);
    }

    /**
     * An order as people write it: {@code sequential}, {@code shuffled}, {@code blocks} (runs of 64 samples, 16 of them
     * mixed), {@code blocks:RUN} or {@code blocks:RUN:WINDOW}.
     */
    static Order parse(String text, long size) {
        Matcher blocks =
                Pattern.compile("blocks(?::(\\d{1,15})(?::(\\d{1,15}))?)?").matcher(text);
        if (text.equals("sequential")) {
            return sequential(size);
        }
        if (text.equals("shuffled")) {
            return shuffled(size);
        }
        if (!blocks.matches()) {
            throw new UsageException("unknown order '" + text + "'; valid are sequential, shuffled, blocks,"
                    + " blocks:RUN and blocks:RUN:WINDOW, such as blocks:256:32");
        }
        return blocks(
                size,
                blocks.group(1) == null ? 64 : Long.parseLong(blocks.group(1)),
                blocks.group(2) == null ? 16 : Long.parseLong(blocks.group(2)));
    }

    /** See {@link #sequential}. */
    record Sequential(long size) implements Order {
        public Sequential {
            requireSize(size);
        }

        @Override
        public Permutation epoch(long seed, long epoch) {
            return new IdentityPermutation(size);
        }

        @Override
        public String name() {
            return "order 1 sequential";
        }
    }

    /** See {@link #shuffled}. */
    record Shuffled(long size) implements Order {
        public Shuffled {
            requireSize(size);
        }

        @Override
        public Permutation epoch(long seed, long epoch) {
            return Permutation.keyed(size, SplitMix64.key(seed, epoch));
        }

        @Override
        public String name() {
            return "order 1 shuffled";
        }
    }

    /** See {@link #blocks}. */
    record Blocks(long size, long run, long window) implements Order {
        public Blocks {
            requireSize(size);
            if (run < 1 || run > MAX_SIZE || window < 1 || window > MAX_SIZE) {
                throw new UsageException("order blocks: run and window should be between 1 and " + MAX_SIZE
                        + " but are " + run + " and " + window);
            }
            // A run longer than the dataset is the dataset; so no product below can overflow.
            run = Math.min(run, size);
        }

        @Override
        public Permutation epoch(long seed, long epoch) {
            return new BlockPermutation(size, run, window, SplitMix64.key(seed, epoch));
        }

        @Override
        public String name() {
            return "order 1 blocks run=" + run + " window=" + window;
        }
    }

    private static void requireSize(long size) {
        if (size < 1 || size > MAX_SIZE) {
            throw new StokerException("an order should have between 1 and " + MAX_SIZE + " samples but has " + size
                    + (size == 0 ? "; the dataset is empty" : ""));
        }
    }
}

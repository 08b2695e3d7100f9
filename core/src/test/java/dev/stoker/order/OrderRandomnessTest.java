package dev.stoker.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/**
 * Statistics of the order against a uniform shuffle. Seeds are fixed, so a test that passes always passes; the
 * thresholds are those that a truly uniform shuffle would exceed about once in 30,000 tries: 4 standard deviations. A
 * chi-square of d degrees of freedom has mean d and standard deviation sqrt(2d).
 */
class OrderRandomnessTest {
    private static final double SIGMAS = 4;

    @Test
    void everyPermutationOfFewSamplesIsEquallyLikely() {
        for (int size = 2; size <= 6; size++) {
            for (boolean overSeeds : new boolean[] {true, false}) {
                Order order = Order.shuffled(size);
                int factorial = 1;
                for (int i = 2; i <= size; i++) {
                    factorial *= i;
                }
                long[] counts = new long[factorial];
                for (int i = 0; i < factorial * 300; i++) {
                    counts[number(overSeeds ? order.epoch(i, 0) : order.epoch(7, i))]++;
                }
                assertUniform(counts, "permutations of " + size + (overSeeds ? " over seeds" : " over epochs"));
            }
        }
    }

    /** The place of a permutation among all of its size. */
    private static int number(Permutation permutation) {
        int number = 0;
        for (int i = 0; i < permutation.size(); i++) {
            int smallerAfter = 0;
            for (int j = i + 1; j < permutation.size(); j++) {
                smallerAfter += permutation.at(j) < permutation.at(i) ? 1 : 0;
            }
            number = number * (int) (permutation.size() - i) + smallerAfter;
        }
        return number;
    }

    @Test
    void everySampleStandsAtAPositionEquallyOften() {
        for (int size : new int[] {7, 100, 256, 257, 300, 511, 513, 1000}) {
            for (long position : new long[] {0, 1, size / 2, size - 1}) {
                long[] counts = new long[size];
                for (int i = 0; i < size * 200; i++) {
                    counts[(int) Order.shuffled(size).at(i, i % 3, position)]++;
                }
                assertUniform(counts, "samples at position " + position + " of " + size);
            }
        }
    }

    @Test
    void pairsOfNeighboursAreUniform() {
        for (int size : new int[] {20, 257, 300}) {
            // The second sample, counted from the first: 1 to size - 1, all equally likely.
            for (int distance : new int[] {1, 2, 16, 17}) {
                long[] counts = new long[size - 1];
                for (int i = 0; i < size * 400; i++) {
                    Permutation permutation = Order.shuffled(size).epoch(11, i);
                    long step = permutation.at(1 + distance) - permutation.at(1);
                    counts[(int) Math.floorMod(step, (long) size) - 1]++;
                }
                assertUniform(counts, "neighbours at distance " + distance + " of " + size);
            }
        }
    }

    @Test
    void neighboursInOneEpochOfManySamplesAreUniform() {
        for (long size : new long[] {100_000, 1_048_576, 1_281_167, 1_000_000_000, 10_000_000_000L}) {
            Permutation permutation = Order.shuffled(size).epoch(42, 3);
            int cells = 64;
            long[] counts = new long[cells * cells];
            for (long position = 0; position + 1 < Math.min(size, 400_000); position += 2) {
                int one = (int) (permutation.at(position) * cells / size);
                int next = (int) (permutation.at(position + 1) * cells / size);
                counts[one * cells + next]++;
            }
            assertUniform(counts, "pairs of neighbours of " + size);
        }
    }

    @Test
    void thereIsNoSerialCorrelation() {
        int pairs = 200_000;
        for (long size : new long[] {1_000_000, 1_281_167, 1_000_000_000}) {
            Permutation permutation = Order.shuffled(size).epoch(1, 0);
            Permutation nextEpoch = Order.shuffled(size).epoch(1, 1);
            Permutation nextSeed = Order.shuffled(size).epoch(2, 0);
            for (int lag : new int[] {1, 2, 3, 64, 1000, 1024}) {
                assertNoCorrelation(pairs, i -> permutation.at(i), i -> permutation.at(i + lag), size, "lag " + lag);
            }
            assertNoCorrelation(pairs, permutation::at, i -> i * (size / pairs), size, "position");
            assertNoCorrelation(pairs, permutation::at, nextEpoch::at, size, "next epoch");
            assertNoCorrelation(pairs, permutation::at, nextSeed::at, size, "next seed");
        }
    }

    @Test
    void aShuffleHasOneFixedPointOnAverage() {
        for (int size : new int[] {50, 300, 1000}) {
            int keys = 4000;
            int fixed = 0;
            for (int i = 0; i < keys; i++) {
                Permutation permutation = Order.shuffled(size).epoch(9, i);
                for (int position = 0; position < size; position++) {
                    fixed += permutation.at(position) == position ? 1 : 0;
                }
            }
            // The number of fixed points has mean 1 and variance 1.
            assertThat(fixed / (double) keys).isCloseTo(1, within(SIGMAS / Math.sqrt(keys)));
        }
    }

    @Test
    void theLossOfBlocksIsMeasured() {
        long size = 1_000_000;
        assertThat(OrderRandomness.measure(Order.shuffled(size), 1).serialCorrelation())
                .isCloseTo(0, within(0.01));
        assertThat(OrderRandomness.measure(Order.shuffled(size), 1).neighbourDistance())
                .isCloseTo(1, within(0.01));
        assertThat(OrderRandomness.measure(Order.sequential(size), 1).serialCorrelation())
                .isCloseTo(1, within(0.01));
        assertThat(OrderRandomness.measure(Order.sequential(size), 1).neighbourDistance())
                .isCloseTo(0, within(0.01));
        for (int window : new int[] {2, 4, 16, 64}) {
            OrderRandomness found = OrderRandomness.measure(Order.blocks(size, 256, window), 1);
            assertThat(found.serialCorrelation()).isCloseTo(1.0 / window, within(0.02));
            assertThat(found.neighbourDistance()).isCloseTo(1 - 1.0 / window, within(0.02));
        }
    }

    private interface Values {
        long at(long i);
    }

    private static void assertNoCorrelation(int pairs, Values one, Values other, long size, String what) {
        double mean = (size - 1) / 2.0;
        double sum = 0;
        for (int i = 0; i < pairs; i++) {
            sum += (one.at(i) - mean) * (other.at(i) - mean);
        }
        double correlation = sum / pairs / (((double) size * size - 1) / 12);
        assertThat(correlation).as(what + " of " + size).isCloseTo(0, within(SIGMAS / Math.sqrt(pairs)));
    }

    private static void assertUniform(long[] counts, String what) {
        long total = 0;
        for (long count : counts) {
            total += count;
        }
        double expected = total / (double) counts.length;
        double chiSquare = 0;
        for (long count : counts) {
            chiSquare += (count - expected) * (count - expected) / expected;
        }
        int freedom = counts.length - 1;
        double deviation = (chiSquare - freedom) / Math.sqrt(2.0 * freedom);
        // With one degree the distribution is far from normal: 4 sigmas of its normal root are a square of 16.
        double limit = freedom == 1 ? (SIGMAS * SIGMAS - 1) / Math.sqrt(2) : SIGMAS + 8 / Math.sqrt(2.0 * freedom);
        assertThat(deviation).as(what + ": sigmas of chi-square " + chiSquare).isBetween(-SIGMAS, limit);
    }
}

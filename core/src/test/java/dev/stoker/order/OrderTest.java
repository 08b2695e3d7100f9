package dev.stoker.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OrderTest {
    @Test
    void everyKindIsABijectionWithItsInverseForAnySize() {
        long seed = 20260101;
        Random random = new Random(seed);
        for (int round = 0; round < 600; round++) {
            int size = 1 + random.nextInt(round < 300 ? 300 : 6000);
            long run = 1L + random.nextInt(1 + random.nextInt(size + 2));
            long window = 1L + random.nextInt(1 + random.nextInt(20));
            Order order = switch (round % 3) {
                case 0 -> Order.sequential(size);
                case 1 -> Order.shuffled(size);
                default -> Order.blocks(size, run, window);
            };
            String story = "seed " + seed + " round " + round + ": " + order;
            Permutation permutation = order.epoch(random.nextLong(), random.nextInt(1000));
            boolean[] seen = new boolean[size];
            for (int position = 0; position < size; position++) {
                int sample = (int) permutation.at(position);
                assertThat(seen[sample]).as(story).isFalse();
                seen[sample] = true;
                assertThat(permutation.positionOf(sample)).as(story).isEqualTo(position);
            }
        }
    }

    @Test
    void hugeOrdersInvertAtRandomPositions() {
        Random random = new Random(5);
        for (long size :
                new long[] {257, 65_537, 999_999_999_989L, 10_000_000_000L, Order.MAX_SIZE - 1, Order.MAX_SIZE}) {
            for (Order order : new Order[] {Order.shuffled(size), Order.blocks(size, 1000, 333)}) {
                for (int i = 0; i < 2000; i++) {
                    long position = random.nextLong(size);
                    long sample = order.at(i, 1000, position);
                    assertThat(sample).isBetween(0L, size - 1);
                    assertThat(order.positionOf(i, 1000, sample))
                            .as(order.toString())
                            .isEqualTo(position);
                }
            }
        }
    }

    @Test
    void lookingUpByEpochAndAtOnceIsTheSame() {
        Order order = Order.blocks(1000, 16, 8);
        Permutation permutation = order.epoch(3, 9);
        for (int i = 0; i < 1000; i++) {
            assertThat(order.at(3, 9, i)).isEqualTo(permutation.at(i));
        }
    }

    @Test
    void seedsAndEpochsGiveDifferentOrders() {
        Order order = Order.shuffled(1_000_000);
        assertThat(order.at(1, 0, 0)).isNotEqualTo(order.at(2, 0, 0)).isNotEqualTo(order.at(1, 1, 0));
        assertThat(order.at(1, 0, 0)).isNotEqualTo(order.at(0, 1, 0));
    }

    @Test
    void blocksReadRunsTogether() {
        Permutation permutation = Order.blocks(10_000, 100, 5).epoch(1, 1);
        // The first 500 positions are five runs: at most six stretches of consecutive samples (one may go round).
        boolean[] seen = new boolean[10_000];
        for (int i = 0; i < 500; i++) {
            seen[(int) permutation.at(i)] = true;
        }
        int stretches = 0;
        for (int i = 0; i < 10_000; i++) {
            stretches += seen[i] && (i == 0 || !seen[i - 1]) ? 1 : 0;
        }
        assertThat(stretches).isBetween(1, 6);
    }

    @Test
    void refusesWhatIsNoOrder() {
        assertThatThrownBy(() -> Order.shuffled(0))
                .isInstanceOf(StokerException.class)
                .hasMessage(
                        "an order should have between 1 and 281474976710656 samples but has 0; the dataset is empty");
        assertThatThrownBy(() -> Order.shuffled(Order.MAX_SIZE + 1)).isInstanceOf(StokerException.class);
        assertThatThrownBy(() -> Order.blocks(10, 0, 1))
                .hasMessageContaining("run and window should be between 1 and")
                .hasMessageContaining("but are 0 and 1");
        for (Order order :
                new Order[] {Order.shuffled(10), Order.shuffled(1000), Order.sequential(5), Order.blocks(9, 2, 2)}) {
            assertThatThrownBy(() -> order.at(0, 0, order.size())).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> order.at(0, 0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> order.positionOf(0, 0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}

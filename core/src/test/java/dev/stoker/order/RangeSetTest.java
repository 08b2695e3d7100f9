package dev.stoker.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RangeSetTest {
    @Test
    void agreesWithABitSet() {
        long seed = 77;
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            BitSet bits = new BitSet();
            double density = random.nextDouble();
            for (int i = 0; i < 100; i++) {
                bits.set(i, random.nextDouble() < density);
            }
            RangeSet ranges = RangeSet.of(bits.stream().asLongStream().toArray());
            String story = "seed " + seed + " round " + round + " " + bits;
            assertThat(ranges.count()).as(story).isEqualTo(bits.cardinality());
            int index = 0;
            for (int i = 0; i < 120; i++) {
                assertThat(ranges.contains(i)).as(story).isEqualTo(bits.get(i));
                assertThat(ranges.countBefore(i))
                        .as(story)
                        .isEqualTo(bits.get(0, i).cardinality());
                if (bits.get(i)) {
                    assertThat(ranges.nth(index++)).as(story).isEqualTo(i);
                }
            }
            int start = random.nextInt(110);
            int outside = bits.nextClearBit(start);
            for (int i = 0; i < 30; i++, outside = bits.nextClearBit(outside + 1)) {
                assertThat(ranges.nthOutside(start, i)).as(story).isEqualTo(outside);
            }
            assertThat(ranges.tail(start, 7))
                    .isEqualTo(RangeSet.of(bits.stream()
                            .filter(i -> i >= start)
                            .mapToLong(i -> i - start + 7)
                            .toArray()));
        }
    }

    @Test
    void refusesWhatDoesNotAscend() {
        assertThatThrownBy(() -> RangeSet.of(3, 3))
                .hasMessage("range [3, 4) should begin at 4 or later and not be empty");
        assertThatThrownBy(() -> RangeSet.of(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RangeSet.between(5, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RangeSet.of(1, 2).nth(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void readsWell() {
        assertThat(RangeSet.of(3, 5, 6, 7)).hasToString("3, 5-7");
        assertThat(RangeSet.EMPTY.toString()).isEmpty();
    }

    @Test
    void unionHasWhatEitherHas() {
        RangeSet one = new RangeSet.Builder().add(2, 5).add(8, 9).add(20, 30).build();
        RangeSet two = new RangeSet.Builder()
                .add(0, 2)
                .add(4, 8)
                .add(22, 24)
                .add(30, 31)
                .build();
        RangeSet both = new RangeSet.Builder().add(0, 9).add(20, 31).build();
        assertThat(one.union(two)).isEqualTo(both);
        assertThat(two.union(one)).isEqualTo(both);
        assertThat(one.union(RangeSet.EMPTY)).isEqualTo(one);
    }

    @Test
    void parsesWhatPeopleWrite() {
        assertThat(RangeSet.parse("3,5-8, 100-", 200))
                .isEqualTo(
                        new RangeSet.Builder().add(3, 4).add(5, 9).add(100, 200).build());
        for (String wrong : new String[] {"", "x", "5-3", "3,3", "200", "-4", "9,5"}) {
            assertThatThrownBy(() -> RangeSet.parse(wrong, 200))
                    .as(wrong)
                    .isInstanceOf(dev.stoker.StokerException.class);
        }
    }
}

package dev.stoker.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MixTest {
    private static Mix.Part part(long size, long weight) {
        return new Mix.Part(SampleView.of(Order.shuffled(size)), weight);
    }

    @Test
    void everyPrefixIsProportionateAndEveryDatasetGoesThroughItsEpochs() {
        long seed = 31;
        Random random = new Random(seed);
        for (int round = 0; round < 60; round++) {
            int count = 1 + random.nextInt(9);
            List<Mix.Part> parts = new ArrayList<>();
            long total = 0;
            for (int i = 0; i < count; i++) {
                parts.add(part(1 + random.nextInt(200), 1 + random.nextInt(1 + random.nextInt(100))));
                total += parts.get(i).weight();
            }
            Mix mix = new Mix(parts, 1 + random.nextInt(500));
            String story = "seed " + seed + " round " + round + " " + mix.name();
            long[] drawn = new long[count];
            int[][] times =
                    parts.stream().map(p -> new int[(int) p.view().size()]).toArray(int[][]::new);
            for (int stream = 0; stream < 3000; stream++) {
                SampleRef place = mix.at(round, stream / mix.size(), stream % mix.size());
                int dataset = place.dataset();
                // Within its own epoch, no sample comes again before all have come.
                int epochsDone = (int) (drawn[dataset]++ / times[dataset].length);
                assertThat(times[dataset][(int) place.sample()]++).as(story).isEqualTo(epochsDone);
                long inEpoch = stream % mix.size() + 1;
                boolean isEndOfWindow = inEpoch % Mix.WINDOW == 0 || inEpoch == mix.size();
                // A window of 64 can be off by a quarter of it at worst, the deal by 1/2 for each split.
                double limit = (isEndOfWindow ? 1 : Mix.WINDOW / 4) + count / 2.0;
                for (int i = 0; i < count; i++) {
                    double share = (stream + 1.0) * parts.get(i).weight() / total;
                    if (Math.abs(drawn[i] - share) > limit) {
                        fail(story + ": " + drawn[i] + " of part " + i + " in " + (stream + 1) + " but its share is "
                                + share);
                    }
                }
            }
        }
    }

    @Test
    void weightsEqualToTheSizesGiveEveryDatasetOnceAnEpoch() {
        Mix mix = Mix.of(List.of(part(100, 100), part(37, 37), part(6, 6)));
        for (int epoch = 0; epoch < 5; epoch++) {
            Set<SampleRef> places = new HashSet<>();
            for (int i = 0; i < 143; i++) {
                assertThat(places.add(mix.at(9, epoch, i))).isTrue();
            }
        }
    }

    @Test
    void noRankIsLeftWithOneDataset() {
        Mix mix = Mix.of(List.of(part(1000, 1), part(1000, 1)));
        long[] first = new long[2];
        for (int position = 0; position < 2000; position++) {
            first[position % 2] += mix.at(5, 0, position).dataset() == 0 ? 1 : 0;
        }
        assertThat(first[0]).isBetween(400L, 600L);
        assertThat(first[0] + first[1]).isEqualTo(1000);
    }

    @Test
    void partsOfEqualSizeHaveDifferentOrders() {
        Mix mix = Mix.of(List.of(part(100, 1), part(100, 1)));
        List<List<Long>> samples = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 200; i++) {
            SampleRef place = mix.at(5, 0, i);
            samples.get(place.dataset()).add(place.sample());
        }
        assertThat(samples.get(0)).isNotEqualTo(samples.get(1)).containsExactlyInAnyOrderElementsOf(samples.get(1));
    }

    @Test
    void aSubsetGivesEachOfItsSamplesOnce() {
        RangeSet samples = RangeSet.of(2, 3, 5, 7, 11, 13);
        Subset subset = new Subset(samples, Order.shuffled(6));
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            found.add(subset.at(1, 2, i).sample());
        }
        assertThat(found).containsExactlyInAnyOrder(2L, 3L, 5L, 7L, 11L, 13L);
        assertThat(subset.name()).isNotEqualTo(new Subset(RangeSet.of(2, 3, 5, 7, 11, 14), Order.shuffled(6)).name());
        assertThatThrownBy(() -> new Subset(samples, Order.shuffled(7)))
                .hasMessage("the order of a subset should be of its 6 samples but is of 7");
    }

    @Test
    void refusesWhatIsNoMix() {
        assertThatThrownBy(() -> Mix.of(List.of())).hasMessageContaining("a mix should have parts");
        assertThatThrownBy(() -> part(3, 0)).hasMessage("a weight should be at least 1 but is 0");
        assertThatThrownBy(() -> Mix.of(List.of(part(1, WeightedRoundRobin.MAX_WEIGHT), part(1, 1))))
                .hasMessageContaining("weights sum up");
        assertThatThrownBy(() -> new Mix.Part(Mix.of(List.of(part(1, 1), part(1, 1))), 1))
                .hasMessageContaining("of one dataset");
    }
}

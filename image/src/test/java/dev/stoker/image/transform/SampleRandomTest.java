package dev.stoker.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SampleRandomTest {
    private final SampleRandom random = new SampleRandom();

    @Test
    void neighbouringSamplesAreIndependent() {
        double sum = 0, products = 0, before = 0.5;
        Set<Double> seen = new HashSet<>();
        int n = 100_000;
        for (int i = 0; i < n; i++) {
            random.set(1, 2, i, 0);
            double x = random.nextDouble();
            seen.add(x);
            sum += x;
            products += (x - 0.5) * (before - 0.5);
            before = x;
        }
        assertThat(sum / n).isCloseTo(0.5, within(0.005));
        assertThat(products / n).isCloseTo(0, within(0.002));
        assertThat(seen).hasSize(n);
    }

    @Test
    void seedEpochSampleAndStepEachMatter() {
        Set<Double> seen = new HashSet<>();
        for (int seed = 0; seed < 6; seed++) {
            for (int epoch = 0; epoch < 6; epoch++) {
                for (int sample = 0; sample < 6; sample++) {
                    for (int step = 0; step < 6; step++) {
                        random.set(seed, epoch, sample, step);
                        seen.add(random.nextDouble());
                    }
                }
            }
        }
        assertThat(seen).hasSize(6 * 6 * 6 * 6);
    }

    /** The numbers are part of the contract: a training run must be repeatable with a later version. */
    @Test
    void theNumbersStayTheSame() {
        random.set(1, 2, 3, 4);
        assertThat(random.nextDouble()).isEqualTo(0.9179263608147373);
        assertThat(random.below(1000)).isEqualTo(536);
    }
}

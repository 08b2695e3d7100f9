package dev.stoker.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void medianIsInTheMiddleOrHalfWay() {
        assertThat(Statistics.median(5, 1, 3)).isEqualTo(3);
        assertThat(Statistics.median(4, 1, 3, 2)).isEqualTo(2.5);
        assertThat(Statistics.median(7)).isEqualTo(7);
        assertThat(Statistics.median()).isNaN();
    }

    @Test
    void quantilesLieBetweenTheirNeighbours() {
        double[] values = {50, 10, 40, 20, 30};
        assertThat(Statistics.lowest(values)).isEqualTo(10);
        assertThat(Statistics.highest(values)).isEqualTo(50);
        assertThat(Statistics.quantile(0.9, values)).isEqualTo(46, within(1e-9));
        assertThat(values).as("what is given stays as it was").startsWith(50, 10);
    }

    @Test
    void figuresHaveFewDigits() {
        assertThat(Figures.rate(949.6)).isEqualTo("950");
        assertThat(Figures.rate(9_994)).isEqualTo("9994");
        assertThat(Figures.rate(9_999)).isEqualTo("10.0k");
        assertThat(Figures.rate(123_456)).isEqualTo("123k");
        assertThat(Figures.rate(1_234_567)).isEqualTo("1.2M");
        assertThat(Figures.ratio(0.634)).isEqualTo("0.63");
        assertThat(Figures.ratio(2.04)).isEqualTo("2.0");
        assertThat(Figures.ratio(12.4)).isEqualTo("12");
        assertThat(Figures.micros(0.84)).isEqualTo("0.8 µs");
        assertThat(Figures.micros(999.6)).isEqualTo("1.0 ms");
        assertThat(Figures.micros(2_300_000)).isEqualTo("2.3 s");
    }
}

package dev.stoker.bench.sweep;

import static dev.stoker.bench.sweep.Made.BASE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final Setting NOT_MAPPED = BASE.withMmap(false);
    private static final Setting IN_ORDER = BASE.withShuffle(false);
    private static final Setting ONE_WORKER = BASE.withWorkers(1);

    private static List<String> sentences(Made made) {
        return Answers.of(made.result()).stream().map(Answer::sentence).toList();
    }

    @Test
    void theBestIsNamedWithItsTiesAndTheSlowest() {
        var made = new Made()
                .with("arrow", BASE, 0.010, 0.011, 0.012)
                .with("stk", BASE, 0.011, 0.010, 0.013)
                .with("folder", BASE, 0.1, 0.11, 0.12);
        assertThat(sentences(made).getFirst())
                .isEqualTo("arrow, mapped, with 2 workers: 90.9k samples/s (909 MB/s). stk is too close to"
                        + " call. The slowest with the same settings is folder: 9091 samples/s, 10 times slower.");
    }

    @Test
    void differencesCountThatEveryRoundShows() {
        var made = new Made()
                .with("arrow", BASE, 1, 1, 1)
                .with("arrow", NOT_MAPPED, 2, 2.2, 2.4)
                .with("tar", BASE, 1, 1, 1)
                .with("tar", NOT_MAPPED, 0.5, 0.6, 2)
                .with("zip", BASE, 1, 1, 1)
                .with("zip", NOT_MAPPED, 0.5, 0.5, 0.5);
        assertThat(sentences(made).get(1))
                .isEqualTo("Mapping speeds up arrow: 2.2x the speed. It slows down zip: 0.50x the speed. No clear"
                        + " difference: tar.");
    }

    @Test
    void manyFormatsAreSummedUp() {
        var made = new Made();
        for (int i = 1; i <= 5; i++) {
            made.with("f" + i, BASE, i, i, i).with("f" + i, IN_ORDER, 1, 1, 1);
        }
        assertThat(sentences(made).get(3))
                .isEqualTo("Shuffling slows down 4 of 5 formats: 3.4 times slower (median; 0.20x for f5 to 0.50x for"
                        + " f2). No clear difference: f1.");
        var none = new Made()
                .with("arrow", BASE, 1, 1, 1)
                .with("arrow", IN_ORDER, 1.001, 1.001, 1.001)
                .with("tar", BASE, 1, 1, 1)
                .with("tar", IN_ORDER, 0.9, 1, 1.1);
        assertThat(sentences(none).get(3))
                .isEqualTo("Shuffling makes no measurable difference in any of the 2 formats: 1.00x the speed (median;"
                        + " 1.00x for tar to 1.00x for arrow).");
    }

    @Test
    void workersAreComparedWithTheFewest() {
        var made = new Made()
                .with("arrow", BASE, 1, 1, 1)
                .with("arrow", ONE_WORKER, 2, 2, 2)
                .with("folder", BASE, 3, 3, 3)
                .with("folder", ONE_WORKER, 2.5, 2.5, 2.5);
        assertThat(sentences(made).get(4))
                .isEqualTo("Compared with 1 worker: 2 workers, 1.42x the speed (median; 0.83x for folder to 2.0x for"
                        + " arrow). This machine has 2 cores available; fastest: folder with 1; arrow with 2.");
    }

    @Test
    void whatWasNotComparedIsSaid() {
        var made = new Made()
                .with("arrow", BASE, 1, 1, 1)
                .failed("arrow", BASE.withCold(true), "the system keeps the files in memory");
        assertThat(sentences(made).subList(1, 6))
                .containsExactly(
                        "Not compared: everything was measured with one setting. Drop --use-mmap and --no-use-mmap to"
                                + " compare.",
                        "Not compared: everything was measured with one setting. Drop --fixed-length to compare.",
                        "Not compared: everything was measured with one setting. Drop --shuffle to compare.",
                        "Not compared: everything was measured with 2 workers. Drop --num-workers, or give several"
                                + " numbers, to compare.",
                        "Not compared: no format could be measured with both settings: the system keeps the files in memory.");
        assertThat(sentences(new Made().failed("arrow", BASE, "it broke")).getFirst())
                .isEqualTo("Nothing could be measured; the reasons are below.");
    }

    @Test
    void theBestIsAmongWhatATrainingCanChoose() {
        SweepResult result = new Made()
                .with("arrow", BASE, 1, 1, 1)
                .with("arrow", IN_ORDER, 0.1, 0.1, 0.1)
                .with("arrow", ONE_WORKER, 0.5, 0.5, 0.5)
                .result();
        assertThat(result.best().orElseThrow().setting()).isEqualTo(ONE_WORKER);
    }
}

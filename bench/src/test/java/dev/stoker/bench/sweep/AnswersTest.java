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
                .isEqualTo("arrow, mapped, with 2 workers: 90.9k samples/s (909 MB/s). Not told apart from it by these"
                        + " rounds: stk. The slowest with the same settings is folder: 9091 samples/s, 10 times less.");
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
                .isEqualTo("Mapping makes arrow faster: 2.2 times as fast; it makes zip slower: 0.50 times as fast."
                        + " Within the spread: tar.");
    }

    @Test
    void manyFormatsAreSummedUp() {
        var made = new Made();
        for (int i = 1; i <= 5; i++) {
            made.with("f" + i, BASE, i, i, i).with("f" + i, IN_ORDER, 1, 1, 1);
        }
        assertThat(sentences(made).get(3))
                .isEqualTo("Shuffling makes 4 of 5 formats slower: 0.29 times as fast in the middle (from 0.20, f5, to"
                        + " 0.50, f2). Within the spread: f1.");
        var none = new Made()
                .with("arrow", BASE, 1, 1, 1)
                .with("arrow", IN_ORDER, 1.001, 1.001, 1.001)
                .with("tar", BASE, 1, 1, 1)
                .with("tar", IN_ORDER, 0.9, 1, 1.1);
        assertThat(sentences(none).get(3))
                .isEqualTo("Shuffling makes no difference that stands out of the spread between rounds in any of 2"
                        + " formats: 1.00 times as fast in the middle (from 1.00, tar, to 1.00, arrow).");
    }

    @Test
    void workersAreComparedWithTheFewest() {
        var made = new Made()
                .with("arrow", BASE, 1, 1, 1)
                .with("arrow", ONE_WORKER, 2, 2, 2)
                .with("folder", BASE, 3, 3, 3)
                .with("folder", ONE_WORKER, 2.5, 2.5, 2.5);
        assertThat(sentences(made).get(4))
                .isEqualTo("Against 1 worker: 2 workers 1.42 times as fast in the middle (from 0.83, folder, to 2.0,"
                        + " arrow). This machine has 2 cores for us; fastest are folder with 1; arrow with 2.");
    }

    @Test
    void whatWasNotComparedIsSaid() {
        var made = new Made()
                .with("arrow", BASE, 1, 1, 1)
                .failed("arrow", BASE.withCold(true), "the system keeps the files in memory");
        assertThat(sentences(made).subList(1, 6))
                .containsExactly(
                        "Not compared: all was measured one way only. Leave out --use-mmap and --no-use-mmap to"
                                + " compare.",
                        "Not compared: all was measured one way only. Leave out --fixed-length to compare.",
                        "Not compared: all was measured one way only. Leave out --shuffle to compare.",
                        "Not compared: all was measured with 2 workers. Leave out --num-workers, or give several, to"
                                + " compare.",
                        "Not compared: no format could be measured both ways: the system keeps the files in memory.");
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

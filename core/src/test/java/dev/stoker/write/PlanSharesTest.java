package dev.stoker.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlanSharesTest {
    private record Runs(List<Run> all, int lateRuns) implements Plan {
        @Override
        public PlanOutline outline() {
            throw new AssertionError("shares follow from the runs alone");
        }

        @Override
        public long length() {
            return all.stream().mapToLong(Run::length).sum();
        }

        @Override
        public int runs() {
            return all.size();
        }

        @Override
        public Run run(int number) {
            return all.get(number);
        }

        @Override
        public void fill(int run, RunWriter out) {}
    }

    private static Runs random(SplittableRandom random, int count) {
        var runs = new ArrayList<Run>();
        long at = 0;
        for (int i = 0; i < count; i++) {
            long length = random.nextLong(1, 8 << 20);
            runs.add(new Run(i, i + 1, at, length));
            at += length;
        }
        return new Runs(runs, 1);
    }

    @Test
    void everyRunHasOneRankAndRanksHaveAboutTheSameBytes() {
        var random = new SplittableRandom(7);
        for (int world : new int[] {1, 2, 3, 8, 64, 1000}) {
            for (long stripe : new long[] {0, 4 << 20}) {
                Runs plan = random(random, 500);
                PlanShares shares = PlanShares.cut(plan, world, stripe);
                int next = 0;
                for (int rank = 0; rank < world; rank++) {
                    long bytes = 0;
                    for (int i = 0; i < shares.count(rank); i++) {
                        assertThat(shares.run(rank, i)).isEqualTo(next++);
                        bytes += plan.run(shares.run(rank, i)).length();
                    }
                    assertThat(bytes).isLessThanOrEqualTo(plan.length() / world * 5 / 4 + (16 << 20));
                }
                assertThat(next).isEqualTo(499);
            }
        }
    }

    @Test
    void sharesMeetNearStripesWhereTheyCan() {
        long stripe = 4 << 20;
        Runs plan = random(new SplittableRandom(3), 2_000);
        long aligned = 0;
        long plain = 0;
        for (int rank = 1; rank < 8; rank++) {
            aligned += plan.run(PlanShares.cut(plan, 8, stripe).run(rank, 0)).offset() % stripe;
            plain += plan.run(PlanShares.cut(plan, 8, 0).run(rank, 0)).offset() % stripe;
        }
        assertThat(aligned).isLessThan(plain / 4);
    }
}

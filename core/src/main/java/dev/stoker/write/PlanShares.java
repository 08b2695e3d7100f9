package dev.stoker.write;

import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Which runs of a plan each rank fills: those that lie one after another in the file, about as many bytes for each
 * rank. A pure function of the plan, so all ranks find the same.
 */
public final class PlanShares {
    /** The runs that are not late, in the order of the file. */
    private final int[] runs;
    /** For each rank where its runs begin among these; then their number. */
    private final int[] starts;

    private PlanShares(int[] runs, int[] starts) {
        this.runs = runs;
        this.starts = starts;
    }

    /**
     * Cuts a plan.
     *
     * @param stripe where the shares of two ranks meet, a multiple of this is preferred: then they write to different
     *     servers of a striped file. At most an eighth of a share is shifted for it
     */
    public static PlanShares cut(Plan plan, int world, long stripe) {
        int[] runs = IntStream.range(0, plan.runs() - plan.lateRuns())
                .boxed()
                .sorted(Comparator.comparingLong(r -> plan.run(r).offset()))
                .mapToInt(Integer::intValue)
                .toArray();
        var ends = new long[runs.length];
        long total = 0;
        for (int i = 0; i < runs.length; i++) {
            total += plan.run(runs[i]).length();
            ends[i] = total;
        }
        var starts = new int[world + 1];
        for (int rank = 1; rank < world; rank++) {
            int wanted = firstEndingBehind(ends, shareOf(total, rank, world));
            starts[rank] = Math.max(starts[rank - 1], aligned(plan, runs, ends, wanted, total / world / 8, stripe));
        }
        starts[world] = runs.length;
        return new PlanShares(runs, starts);
    }

    private static long shareOf(long total, int rank, int world) {
        return total / world * rank + total % world * rank / world;
    }

    /** The first run that ends behind a byte of all runs' bytes. */
    private static int firstEndingBehind(long[] ends, long at) {
        int low = 0;
        int high = ends.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The run near the wanted one that begins the least behind a multiple of the stripe. */
    private static int aligned(Plan plan, int[] runs, long[] ends, int wanted, long slack, long stripe) {
        int best = wanted;
        if (stripe <= 1 || wanted >= runs.length) {
            return best;
        }
        for (int step : new int[] {-1, 1}) {
            for (int i = wanted; i > 0 && i < runs.length && Math.abs(ends[i] - ends[wanted]) <= slack; i += step) {
                if (beyond(plan.run(runs[i]), stripe) < beyond(plan.run(runs[best]), stripe)) {
                    best = i;
                }
            }
        }
        return best;
    }

    private static long beyond(Run run, long stripe) {
        return run.offset() % stripe;
    }

    /** How many runs a rank fills. */
    public int count(int rank) {
        return starts[rank + 1] - starts[rank];
    }

    /** The number of a run in the plan. */
    public int run(int rank, long piece) {
        return runs[Math.toIntExact(starts[rank] + piece)];
    }
}

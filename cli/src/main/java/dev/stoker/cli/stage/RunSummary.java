package dev.stoker.cli.stage;

import dev.stoker.cli.output.Human;
import dev.stoker.metric.Bottleneck;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What can be said of a run when it is over.
 *
 * @param cpuSeconds the CPU time of the command and the processes that it waited for
 * @param loader what limited the feed inside the command that delivered most; null if there was none
 */
public record RunSummary(
        double stageSeconds,
        double commandSeconds,
        double cpuSeconds,
        int cores,
        @Nullable Bottleneck loader) {
    /** Of shorter runs nothing is said. */
    private static final double WORTH_SECONDS = 5;

    /** From here on it is worth while to bring data in another way. */
    private static final double MUCH = 0.25;

    public boolean isWorthSaying() {
        return stageSeconds + commandSeconds >= WORTH_SECONDS;
    }

    public String sentence() {
        double share = stageSeconds / (stageSeconds + commandSeconds);
        String times = String.format(
                Locale.ROOT,
                "staging took %s; the command ran %s and kept %.1f of %d cores busy",
                Human.seconds(stageSeconds),
                Human.seconds(commandSeconds),
                commandSeconds > 0 ? cpuSeconds / commandSeconds : 0,
                cores);
        if (share >= MUCH) {
            return times
                    + String.format(
                            Locale.ROOT,
                            "; %.0f%% of the time went into staging: --keep reuses the copy in the next run, --via mount copies"
                                    + " nothing",
                            100 * share);
        }
        return loader == null || loader.limit() == Bottleneck.Limit.UNKNOWN
                ? times
                : times + "; its loader was " + loader.clause();
    }
}

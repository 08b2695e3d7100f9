package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.Format;
import dev.stoker.format.Plan;
import dev.stoker.job.Team;
import dev.stoker.sample.Samples;
import org.jspecify.annotations.Nullable;

/**
 * What all steps of one pack know.
 *
 * @param executor has the shares filled elsewhere; null if this process fills them
 * @param stripes how the file is to lie on the servers of a parallel filesystem
 * @param keepIndex whether a sidecar is kept
 */
record PackContext(
        Samples samples,
        PackPlanner planner,
        PackDestination output,
        Team team,
        @Nullable ShareExecutor executor,
        LustreStriping stripes,
        boolean keepIndex,
        Progress progress) {
    Format format() {
        return output.format();
    }

    PartialFiles files() {
        return output.files();
    }

    Packer.Settings settings() {
        return output.settings();
    }

    /** How many processes write. */
    int writers() {
        return executor == null ? team.world() : executor.shares();
    }

    @Nullable
    BlockSpool compress() {
        return planner.compress(files().blocks(), settings().workers(), writers());
    }

    /** Places every byte, and writes nothing. */
    Plan plan() {
        planner.requireAble(writers());
        try (BlockSpool compressed = compress()) {
            return planner.plan(compressed);
        }
    }

    /** What was packed must be one version of its source. */
    void requireUnchanged() {
        samples.seenFiles().forEach(file -> file.requireUnchanged("packed"));
    }

    /** Refuses to fill another plan than that of the process that made the files. */
    void requireSamePlan(String leader, String leaders, String mine) {
        if (!leaders.equals(mine)) {
            throw new StokerException((executor == null && team.world() > 1 ? "rank " + team.rank() : "this process")
                    + " found different samples from " + leader + ": the hash of its plan is " + mine.substring(0, 16)
                    + ", that of " + leader + " is " + leaders.substring(0, 16)
                    + "; the source is changing, or differs between the nodes");
        }
    }
}

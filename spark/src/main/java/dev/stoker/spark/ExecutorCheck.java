package dev.stoker.spark;

import dev.stoker.format.Plan;
import dev.stoker.job.SharedListing;
import dev.stoker.sample.Samples;
import dev.stoker.write.Packer;
import dev.stoker.write.ShareExecutor;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all tasks of an executor work with: the source, listed once, and its plan, made once. Stays until the executor
 * ends, and with it the JVM.
 */
final class ExecutorCheck {
    private static final ConcurrentHashMap<String, ExecutorCheck> PLACES = new ConcurrentHashMap<>();

    private final Samples samples;
    private final Plan plan;

    private ExecutorCheck(PackJobRecipe recipe, SharedListing findings, ShareExecutor.Work work) {
        this.samples = recipe.open(findings.taker());
        try {
            this.plan = recipe.packer(samples).planFor(work);
        } catch (RuntimeException e) {
            samples.close();
            throw e;
        }
    }

    /** The place for a work; those who come while it is made wait. */
    static ExecutorCheck of(PackJobRecipe recipe, Supplier<SharedListing> findings, ShareExecutor.Work work) {
        @Nullable ExecutorCheck made = PLACES.get(work.fingerprint());
        return made != null
                ? made
                : PLACES.computeIfAbsent(work.fingerprint(), _ -> new ExecutorCheck(recipe, findings.get(), work));
    }

    ShareExecutor.Filled fill(PackJobRecipe recipe, ShareExecutor.Work work, int share) {
        Packer packer = recipe.packer(samples);
        return packer.fillShare(plan, work, share);
    }
}

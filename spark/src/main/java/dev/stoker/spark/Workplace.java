package dev.stoker.spark;

import dev.stoker.format.Plan;
import dev.stoker.job.Findings;
import dev.stoker.pack.Crew;
import dev.stoker.pack.Packer;
import dev.stoker.sample.Samples;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all tasks of an executor work with: the source, listed once, and its plan, made once. Stays until the executor
 * ends, and with it the JVM.
 */
final class Workplace {
    private static final ConcurrentHashMap<String, Workplace> PLACES = new ConcurrentHashMap<>();

    private final Samples samples;
    private final Plan plan;

    private Workplace(Recipe recipe, Findings findings, Crew.Work work) {
        this.samples = recipe.open(findings.taker());
        try {
            this.plan = recipe.packer(samples).planFor(work);
        } catch (RuntimeException e) {
            samples.close();
            throw e;
        }
    }

    /** The place for a work; those who come while it is made wait. */
    static Workplace of(Recipe recipe, Supplier<Findings> findings, Crew.Work work) {
        @Nullable Workplace made = PLACES.get(work.fingerprint());
        return made != null
                ? made
                : PLACES.computeIfAbsent(work.fingerprint(), _ -> new Workplace(recipe, findings.get(), work));
    }

    Crew.Filled fill(Recipe recipe, Crew.Work work, int share) {
        Packer packer = recipe.packer(samples);
        return packer.fillShare(plan, work, share);
    }
}

package dev.stoker.spark;

import dev.stoker.job.SharedListing;
import dev.stoker.write.ShareExecutor;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/** A task: fills the shares of its partition, of which there is one. */
final class FillTask extends AbstractFunction2<TaskContext, Iterator<Integer>, ShareExecutor.Filled>
        implements Serializable {
    private static final long serialVersionUID = 1L;

    private final PackJobRecipe recipe;
    private final Broadcast<ShareExecutor.Work> work;
    private final Broadcast<SharedListing> findings;

    FillTask(PackJobRecipe recipe, Broadcast<ShareExecutor.Work> work, Broadcast<SharedListing> findings) {
        this.recipe = recipe;
        this.work = work;
        this.findings = findings;
    }

    @Override
    public ShareExecutor.Filled apply(TaskContext context, Iterator<Integer> shares) {
        return ExecutorCheck.of(recipe, findings::value, work.value()).fill(recipe, work.value(), shares.next());
    }
}

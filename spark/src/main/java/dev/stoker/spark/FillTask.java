package dev.stoker.spark;

import dev.stoker.job.Findings;
import dev.stoker.pack.Crew;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/** A task: fills the shares of its partition, of which there is one. */
final class FillTask extends AbstractFunction2<TaskContext, Iterator<Integer>, Crew.Filled> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Recipe recipe;
    private final Broadcast<Crew.Work> work;
    private final Broadcast<Findings> findings;

    FillTask(Recipe recipe, Broadcast<Crew.Work> work, Broadcast<Findings> findings) {
        this.recipe = recipe;
        this.work = work;
        this.findings = findings;
    }

    @Override
    public Crew.Filled apply(TaskContext context, Iterator<Integer> shares) {
        return Workplace.of(recipe, findings::value, work.value()).fill(recipe, work.value(), shares.next());
    }
}

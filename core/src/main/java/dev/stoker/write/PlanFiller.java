package dev.stoker.write;

import dev.stoker.concurrent.Progress;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.format.Plan;
import dev.stoker.format.PlannedFolder;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.io.OutputFile;
import dev.stoker.sample.Samples;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings what a plan says into its files, which are open: first what the Index has before any run, then the runs and the
 * rest of the Index in any order, at last what depends on all of that.
 *
 * @param blocks what was compressed before there was a plan; null if nothing is compressed
 */
public record PlanFiller(
        Samples samples,
        Plan plan,
        OpenOutput opened,
        @Nullable BlockSpool blocks,
        int workers) {
    /** Gives the files their lengths, and writes what no run tells. */
    public void begin() {
        opened.out().prepare(plan.length());
        opened.index().resize(plan.index().length());
        opened.index().write(plan.index().metaOffset(), plan.index().metaBytes());
        if (blocks != null) {
            blocks.writeEnd(plan.index(), opened.index());
        }
        PlannedFolder planned = plan.folder();
        if (planned != null) {
            opened.index().write(plan.index().blocks(), planned.blockRows());
        }
    }

    /** One thread's way of filling runs; to be closed. */
    RunBuffer buffer() {
        return new RunBuffer(samples, plan, opened.out(), opened.index(), opened.notes(), blocks);
    }

    /** Fills all runs but the late ones, and all of the Index but its header. */
    public void fillAll(Progress progress) {
        fillRuns(0, plan.runs() - plan.lateRuns(), progress);
        var indexRuns = new IndexRuns(samples, plan.index(), opened.index());
        WorkerPool.run(workers, indexRuns.pieces(), () -> indexRuns::fill);
    }

    private void fillRuns(int first, int end, Progress progress) {
        WorkerPool.run(workers, end - first, () -> new WorkerPool.Worker() {
            private final RunBuffer buffer = buffer();

            @Override
            public void work(long piece) {
                int run = first + (int) piece;
                buffer.fill(run);
                progress.add(plan.run(run).samples(), plan.run(run).length());
            }

            @Override
            public void close() {
                buffer.close();
            }
        });
    }

    /** Fills what depends on all the rest, and writes the Index's header. */
    public void seal() {
        // Late runs are small and follow from all others, so none is taken over from an earlier try.
        fillRuns(plan.runs() - plan.lateRuns(), plan.runs(), new Progress());
        opened.index().write(0, plan.index().seal(opened.index()::checksum, identity(), true));
    }

    private ContainerIdentity identity() {
        if (plan.index().isContainer() || plan.isTree()) {
            return ContainerIdentity.NONE;
        }
        OutputFile file = Objects.requireNonNull(opened.out().file());
        return ContainerIdentity.of(file.size(), file::readFully);
    }
}

package dev.stoker.write;

import dev.stoker.concurrent.Progress;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Fills one writer's share of a plan: of its runs, and of its Index. */
final class ShareFiller {
    private final PlanFiller filling;
    private final Plan plan;
    private final Share share;
    private final PlanShares shares;
    private final Progress progress;

    /**
     * A share of what is to be filled.
     *
     * @param of how many shares there are
     * @param stripe see {@link PlanShares#cut}
     */
    record Share(int number, int of, long stripe) {
        /** The first of {@code count} pieces of the Index that belong to a share; it ends where that of the next begins. */
        private long start(long count, int other) {
            return count / of * other + Math.min(other, count % of);
        }
    }

    /** Told of each run that was filled. */
    interface RunDone {
        void done(int run, int checksum);
    }

    ShareFiller(PlanFiller filling, Share share, Progress progress) {
        this.filling = filling;
        this.plan = filling.plan();
        this.share = share;
        this.shares = PlanShares.cut(plan, share.of(), share.stripe());
        this.progress = progress;
    }

    /**
     * Fills what is not done yet.
     *
     * @param earlier the runs that earlier tries filled, with the checksums that they should have
     * @param requireGoing is asked before each run; throws if there is no use in going on
     * @return how many runs were already written
     */
    int fill(Map<Integer, Integer> earlier, Runnable requireGoing, RunDone done) {
        beginProgress();
        int resumed = fillRuns(earlier, requireGoing, done);
        var index =
                new IndexRuns(filling.samples(), plan.index(), filling.opened().index());
        long first = share.start(index.pieces(), share.number());
        long end = share.start(index.pieces(), share.number() + 1);
        WorkerPool.run(filling.workers(), end - first, () -> piece -> index.fill(first + piece));
        return resumed;
    }

    private void beginProgress() {
        long samples = 0;
        long bytes = 0;
        for (int i = 0; i < shares.count(share.number()); i++) {
            Run run = plan.run(shares.run(share.number(), i));
            samples += run.samples();
            bytes += run.length();
        }
        progress.begin("filling", samples, bytes);
    }

    private int fillRuns(Map<Integer, Integer> earlier, Runnable requireGoing, RunDone done) {
        var resumed = new AtomicInteger();
        var given = new ValueCount(filling.samples(), plan);
        WorkerPool.run(filling.workers(), shares.count(share.number()), () -> new WorkerPool.Worker() {
            private final RunBuffer buffer = filling.buffer();

            @Override
            public void work(long piece) {
                requireGoing.run();
                int run = shares.run(share.number(), piece);
                Integer checksum = earlier.get(run);
                if (checksum != null && buffer.adopt(run, checksum)) {
                    resumed.incrementAndGet();
                } else {
                    done.done(run, buffer.fill(run));
                }
                given.add(buffer);
                progress.add(plan.run(run).samples(), plan.run(run).length());
            }

            @Override
            public void close() {
                buffer.close();
            }
        });
        if (share.of() == 1) {
            given.requireAll();
        }
        return resumed.get();
    }
}

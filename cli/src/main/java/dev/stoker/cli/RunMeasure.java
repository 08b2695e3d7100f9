package dev.stoker.cli;

import dev.stoker.metric.Measured;
import dev.stoker.metric.Metric;
import dev.stoker.pack.Progress;

/** How long a run brought its data, and how long its command runs. */
final class RunMeasure implements Measured {
    private final ProgressMeasure bringing;
    private final long start = System.nanoTime();
    private volatile long begun;

    RunMeasure(Progress progress) {
        bringing = new ProgressMeasure(progress);
    }

    /** The data are there, and the command starts. */
    void begin() {
        begun = System.nanoTime();
    }

    @Override
    public long now(Metric metric) {
        long now = System.nanoTime();
        long begins = begun;
        return switch (metric) {
            case RUN_STAGE -> (begins == 0 ? now : begins) - start;
            case RUN_COMMAND -> begins == 0 ? 0 : now - begins;
            default -> bringing.now(metric);
        };
    }

    @Override
    public String note() {
        return begun == 0 ? bringing.note() : "running";
    }
}

package dev.stoker.cli.stage;

import dev.stoker.cli.output.ProgressMetrics;
import dev.stoker.concurrent.Progress;
import dev.stoker.metric.Measurable;
import dev.stoker.metric.Metric;

/** How long a run brought its data, and how long its command runs. */
final class RunMetrics implements Measurable {
    private final ProgressMetrics bringing;
    private final long start = System.nanoTime();
    private volatile long begun;

    RunMetrics(Progress progress) {
        bringing = new ProgressMetrics(progress);
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

package dev.stoker.cli.output;

import dev.stoker.concurrent.Progress;
import dev.stoker.metric.Measurable;
import dev.stoker.metric.Metric;

/** A long work as metrics: how far its phase is. */
public record ProgressMetrics(Progress progress) implements Measurable {
    @Override
    public long now(Metric metric) {
        return switch (metric) {
            case PACK_SAMPLES, RUN_PIECES -> progress.samples();
            case PACK_PLANNED, RUN_PLANNED -> progress.totalSamples();
            case PACK_BYTES -> progress.bytes();
            default -> 0;
        };
    }

    @Override
    public String note() {
        return progress.phase();
    }
}

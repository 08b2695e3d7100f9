package dev.stoker.cli;

import dev.stoker.metric.Measured;
import dev.stoker.metric.Metric;
import dev.stoker.pack.Progress;

/** A long work as metrics: how far its phase is. */
record ProgressMeasure(Progress progress) implements Measured {
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

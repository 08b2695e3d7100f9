package dev.stoker.metric;

import java.util.Locale;

/** What is measured, as a whole. */
public enum MetricSource {
    /** One feed: of a rank, or of a loader in Python. */
    FEED,
    /** A pack or convert. */
    PACK,
    /** A command that runs with its data. */
    RUN,
    /** The process itself. */
    PROCESS;

    /** As it is written. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

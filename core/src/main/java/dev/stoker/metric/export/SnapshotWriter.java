package dev.stoker.metric.export;

import dev.stoker.metric.Snapshot;
import java.io.IOException;

/** A place that takes one snapshot after another. Used by one thread. */
interface SnapshotWriter extends AutoCloseable {
    void write(Snapshot snapshot) throws IOException;

    @Override
    void close();
}

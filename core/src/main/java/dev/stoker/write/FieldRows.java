package dev.stoker.write;

import dev.stoker.index.Placement;
import dev.stoker.io.GrowingBuffer;

/**
 * What the Index is to know of one field of a run that is being filled: rows of consecutive samples, which go to the
 * Index together.
 */
final class FieldRows {
    final boolean extents;
    final boolean checksums;
    final GrowingBuffer extentRows = new GrowingBuffer();
    final GrowingBuffer checksumRows = new GrowingBuffer();
    /** The first sample of the rows. */
    long first;
    /** How many samples the rows have. */
    long count;
    /** How many values the run gave by now. */
    long given;

    FieldRows(Placement placement) {
        boolean stored = placement.place() != Placement.Place.INDEX;
        this.extents = stored && !placement.dense();
        this.checksums = stored && placement.checksums();
    }

    /** Whether the Index knows anything of the field's values. */
    boolean isNoted() {
        return extents || checksums;
    }

    /** Begins rows that start with another sample. */
    void restart(long sample) {
        extentRows.clear();
        checksumRows.clear();
        first = sample;
        count = 0;
    }

    void clear() {
        restart(0);
        given = 0;
    }
}

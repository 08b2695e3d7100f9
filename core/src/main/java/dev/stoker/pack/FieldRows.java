package dev.stoker.pack;

import dev.stoker.index.Placement;
import dev.stoker.memory.GrowingBytes;

/** What the Index is to know of one field of a run that is being filled. */
final class FieldRows {
    final boolean extents;
    final boolean checksums;
    final GrowingBytes extentRows = new GrowingBytes();
    final GrowingBytes checksumRows = new GrowingBytes();

    FieldRows(Placement placement) {
        boolean stored = placement.place() != Placement.Place.INDEX;
        this.extents = stored && !placement.dense();
        this.checksums = stored && placement.checksums();
    }

    void clear() {
        extentRows.clear();
        checksumRows.clear();
    }
}

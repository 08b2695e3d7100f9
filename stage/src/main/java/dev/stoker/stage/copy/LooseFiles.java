package dev.stoker.stage.copy;

import java.lang.foreign.MemorySegment;

/** Files that are written as a tree, whatever they come from. Their names are checked: they stay inside the tree. */
interface LooseFiles extends AutoCloseable {
    int count();

    /** The path, or, with a slash at its end, that of a folder. */
    byte[] name(int file);

    long size(int file);

    void read(int file, long from, MemorySegment to);

    @Override
    void close();
}

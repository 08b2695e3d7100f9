package dev.stoker.listing;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The files below a folder, wherever that is. Any number of threads may ask. */
interface FileAccess extends AutoCloseable {
    /**
     * A file as it is now.
     *
     * @param version changes whenever its bytes do: a time, or a hash of what the storage calls its version
     */
    record Stat(long size, long version) {}

    /**
     * Looks at a file; anything else that has its name is refused.
     *
     * @param number its place in the listing
     * @param open whether to find out as well if it can be read
     */
    Stat stat(long number, byte[] name, boolean open) throws IOException;

    /**
     * Reads a part of a file; returns what the file was then.
     *
     * @param listed what it was when it was listed
     */
    Stat read(long number, byte[] name, Stat listed, long from, MemorySegment to) throws IOException;

    @Override
    void close();
}

package dev.stoker.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Bytes that are read by place, by any number of threads at once, past any mapping: what cannot be read is an error. */
public interface ByteSource extends AutoCloseable {
    long size();

    /** Reads what lies at a place, up to the end of the target or of the bytes; returns how many were read. */
    long read(long offset, MemorySegment to) throws IOException;

    /** The file that a byte lies in, for messages. */
    String name(long offset);

    @Override
    void close();
}

package dev.stoker.stage.copy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * What is brought to the node, in pieces that any number of threads carry at once. The same source gives the same
 * pieces, so that a later process can go on.
 */
public interface CopyPlan extends AutoCloseable {
    /** The most that is read at once, and the size of the buffer that a thread brings. */
    int BUFFER_BYTES = 1 << 20;

    long pieces();

    /** Bytes of content of one piece. */
    long bytes(long piece);

    /** Files, folders not counted. */
    long files();

    /** What all of it takes on a filesystem that gives room in blocks. */
    Need need(long blockBytes);

    /** Room for so many bytes, and so many files and folders. */
    record Need(long bytes, long files) {}

    /** Makes the folders, and whatever else pieces do not make. */
    void prepare(Path to) throws IOException;

    /** Copies a piece; returns the CRC32C of what was read. */
    int carry(long piece, Path to, MemorySegment buffer) throws IOException;

    /** The CRC32C of a piece as it is there; fails if it is not there, or not whole. */
    int check(long piece, Path to, MemorySegment buffer) throws IOException;

    /** Reports what was written while it was brought, as far as the {@link StageSource} cannot tell. */
    default void requireUnchanged() {}

    @Override
    void close();
}

package dev.stoker.stage.copy;

/** A file that is copied, wherever it is. Any number of threads may open parts of it. */
interface CopySource extends AutoCloseable {
    /** A part of it, for one thread, which closes it. */
    RangeCopy.Reader open(long offset, long length);

    @Override
    void close();
}

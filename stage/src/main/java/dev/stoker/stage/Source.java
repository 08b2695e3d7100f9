package dev.stoker.stage;

/** A file that is copied, wherever it is. Any number of threads may open parts of it. */
interface Source extends AutoCloseable {
    /** A part of it, for one thread, which closes it. */
    Copying.Reader open(long offset, long length);

    @Override
    void close();
}

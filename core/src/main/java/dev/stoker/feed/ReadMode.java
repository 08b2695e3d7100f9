package dev.stoker.feed;

/** How the bytes of samples come out of a container into a batch. */
public enum ReadMode {
    /** Copied from the mapped file; what is not in memory is asked for ahead. Best when it is in memory already. */
    MAP,
    /** Positional reads straight into the batch, as many in flight as there are threads. Best for slow storage. */
    PREAD,
    /** One of the two, chosen at the beginning of every epoch by looking at the storage. */
    AUTO
}

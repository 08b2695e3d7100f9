package dev.stoker.formats.lmdb;

import dev.stoker.format.RunWriter;

/** The entries of a database that is being written, in the order of their keys. */
interface Entries {
    long count();

    byte[] key(long entry);

    /** The length of the key, which costs less than the key. */
    int keyBytes(long entry);

    long valueBytes(long entry);

    /** {@link Page#DATABASE}, or 0. */
    default int flags(long entry) {
        return 0;
    }

    void putValue(long entry, RunWriter out);

    /** How many samples stand before an entry. */
    default long rank(long entry) {
        return entry;
    }
}

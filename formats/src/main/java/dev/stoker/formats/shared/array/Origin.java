package dev.stoker.formats.shared.array;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;

/** The container that arrays are read from. */
public interface Origin {
    /** Its bytes, of all its files together where it is a folder. */
    long size();

    /** The bytes that it really has, where {@link #size} allows for more. */
    default long storedBytes() {
        return size();
    }

    /** Whether it is a folder: then no value lies in its one file, for it has none. */
    default boolean isFolder() {
        return false;
    }

    /** The sentence for damage; -1 is no place. */
    CorruptContainerException corrupt(long at, String reason);

    /** The sentence for what is not damaged but cannot be read. */
    StokerException unsupported(String sentence);
}

package dev.stoker.formats.parquet;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;

/** A page of a column, for messages. */
record Place(String file, String column, long offset) {
    CorruptContainerException corrupt(String reason) {
        return new CorruptContainerException(
                file, offset, "column '" + column + "': " + reason + "; the file is damaged");
    }

    /** Something that is allowed, but not supported. */
    StokerException unsupported(String reason) {
        return new StokerException("[" + file + "] column '" + column + "' " + reason);
    }
}

package dev.stoker.formats.parquet.schema;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;

/** A page of a column, for messages. */
public record PageLocation(String file, String column, long offset) {
    public CorruptContainerException corrupt(String reason) {
        return new CorruptContainerException(
                file, offset, "column '" + column + "': " + reason + "; the file is damaged");
    }

    /** Something that is allowed, but not supported. */
    public StokerException unsupported(String reason) {
        return new StokerException(file, "column '" + column + "' " + reason);
    }
}

package dev.stoker.sample;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;

/** A named, typed part of every sample. */
@PublicApi
public record Field(String name, FieldType type) {
    /** The sample's name: its path relative to the source, with its extension. */
    public static final String KEY = "key";

    /** The sample's main bytes. */
    public static final String DATA = "data";

    /** The number of the sample's class, or {@link #NO_LABEL}. */
    public static final String LABEL = "label";

    /** The label of a sample that has none. */
    public static final long NO_LABEL = -1;

    public Field {
        if (name.isEmpty()) {
            throw new StokerException("a field needs a name");
        }
    }
}

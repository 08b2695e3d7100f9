package dev.stoker.sample;

import dev.stoker.PublicApi;

/**
 * Something that a container holds and none of its fields delivers: a column of a type that no field has, a group beside
 * the samples, a link.
 *
 * @param name what the container calls it, such as the path of a column
 * @param what its kind and type, such as {@code column of decimal}
 * @param why the reason, in words that follow a colon
 */
@PublicApi
public record Omission(String name, String what, String why) {
    /** Why columns and arrays are left out most of the time. */
    public static final String NO_SUCH_TYPE = "fields have no such type";

    @Override
    public String toString() {
        return name + " (" + what + "): " + why;
    }
}

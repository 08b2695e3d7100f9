package dev.stoker.formats.tar;

import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.sample.Field;
import java.util.List;

/** One or several fields of an archive of unknown origin that come from the same member of each sample. */
interface ForeignPart {
    List<Field> fields();

    Placement placement(Field field);

    /**
     * Gives the values of one sample.
     *
     * @param member the member, or -1 if the sample has none
     * @param field the place in the schema of the first of the fields
     */
    void add(long member, IndexBuilder builder, int field);
}

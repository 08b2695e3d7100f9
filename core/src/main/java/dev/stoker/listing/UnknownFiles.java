package dev.stoker.listing;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.index.Placement;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.Field;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The files in a container's folder that its Index does not know: someone put them there later, and they are no samples.
 *
 * @param first one of them; empty if there are none
 */
public record UnknownFiles(long count, String first) {
    /** Whether a container is loose files. Only such a one can have unknown ones that look like samples. */
    public static boolean canBeIn(Container container) {
        for (int f = 0; f < container.schema().size(); f++) {
            if (container.index().placement(f).place() == Placement.Place.TREE) {
                return !container.isRemote();
            }
        }
        return false;
    }

    /** Lists the folder of a container of loose files, once. */
    public static UnknownFiles of(Container container) {
        int key = container.schema().place(Field.KEY);
        try (var keys = new ListedValues();
                var table = new KeyTable(keys);
                ListedValues files =
                        FolderWalk.walk(container.path(), AvailableCores.allocated(), BadFilePolicy.refused())) {
            for (long i = 0; i < container.count(); i++) {
                table.number(container.value(i, key).toArray(ValueLayout.JAVA_BYTE));
            }
            long known = keys.count();
            String first = "";
            for (long i = 0; i < files.count(); i++) {
                if (table.number(files.get(i)) == known) {
                    first = new String(files.get(i), StandardCharsets.UTF_8);
                }
            }
            return new UnknownFiles(keys.count() - known, first);
        }
    }

    public String describe(Path folder) {
        return "[" + folder + "] has " + (count == 1 ? "a file" : count + " files")
                + " that its Index does not know, such as " + first;
    }

    /** Refuses to pack some of a folder's files as if they were all. */
    public static void refuse(Container container) {
        if (!canBeIn(container)) {
            return;
        }
        UnknownFiles unknown = of(container);
        if (unknown.count() > 0) {
            throw new StokerException(unknown.describe(container.path()) + "; move them away, or delete "
                    + Sidecar.beside(container.path()).getFileName() + " to pack the folder as loose files");
        }
    }
}

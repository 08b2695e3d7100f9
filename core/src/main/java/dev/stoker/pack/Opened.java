package dev.stoker.pack;

import dev.stoker.format.Plan;
import dev.stoker.memory.Edges;
import dev.stoker.memory.OutputFile;
import dev.stoker.memory.Ownership;
import dev.stoker.memory.Patches;
import dev.stoker.pack.Output.Opener;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The partial files of a plan, open.
 *
 * @param index the file that the Index is in: the container's own, or the sidecar
 * @param notes null if the plan needs none
 */
record Opened(Output out, OutputFile index, @Nullable Notes notes) implements AutoCloseable {
    /** Makes the files where they are not there. */
    static Opened make(Plan plan, PartialFiles files) {
        if (plan.isTree()) {
            try {
                Ownership.folder(files.container());
            } catch (IOException e) {
                throw OutputFile.cannotWrite(files.container(), e);
            }
        }
        return open(plan, files, (path, length) -> OutputFile.open(path));
    }

    /** Opens files that were made: someone who comes too late, when they have their final names, makes no new ones. */
    static Opened of(Plan plan, PartialFiles files) {
        return open(plan, files, (path, length) -> OutputFile.openExisting(path));
    }

    /** The same for one of several processes that fill at once; what it writes beside others goes to the edges. */
    static Opened of(Plan plan, PartialFiles files, Edges edges) {
        return open(plan, files, edges::open);
    }

    private static Opened open(Plan plan, PartialFiles files, Opener opening) {
        Output out = Output.open(files.container(), plan, opening, OutputFile::open);
        return open(plan, out, files.index(), opening, Notes.open(files.container(), plan, opening));
    }

    /** A container and its sidecar as they should be, to be written whole; what differs goes to the patches. */
    static Opened patched(Plan plan, Path container, Path sidecar, Patches patches) {
        Opener opening = (path, length) -> patches.file(path);
        Output out = Output.open(container, plan, opening, patches::file);
        // Patches of their own, which are never applied: the notes are needed only while all is written.
        var unapplied = new Patches();
        return open(plan, out, sidecar, opening, Notes.open(container, plan, (path, length) -> unapplied.file(path)));
    }

    private static Opened open(Plan plan, Output out, Path sidecar, Opener opening, @Nullable Notes notes) {
        try {
            OutputFile own = plan.index().isContainer() ? out.file() : null;
            OutputFile index =
                    own != null ? own : opening.open(sidecar, plan.index().length());
            return new Opened(out, index, notes);
        } catch (RuntimeException e) {
            out.close();
            throw e;
        }
    }

    void sync() {
        index.sync();
        if (index != out.file()) {
            out.sync();
        }
    }

    /** The same for who wrote only a part: what others write is theirs. */
    void syncShare() {
        index.sync();
        if (index != out.file()) {
            out.syncShare();
        }
    }

    @Override
    public void close() {
        if (notes != null) {
            notes.close();
        }
        if (index != out.file()) {
            index.close();
        }
        out.close();
    }
}

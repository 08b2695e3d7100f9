package dev.stoker.write;

import dev.stoker.format.Plan;
import dev.stoker.io.FilePatches;
import dev.stoker.io.OutputFile;
import dev.stoker.io.PageEdges;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileOwnership;
import dev.stoker.write.PlanOutput.Opener;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The partial files of a plan, open.
 *
 * @param index the file that the Index is in: the container's own, or the sidecar
 * @param notes null if the plan needs none
 */
public record OpenOutput(
        PlanOutput out, OutputFile index, @Nullable DeferredValues notes) implements AutoCloseable {
    /** Makes the files where they are not there. */
    static OpenOutput make(Plan plan, PartialFiles files) {
        if (plan.isTree()) {
            try {
                FileOwnership.folder(files.container());
            } catch (IOException e) {
                throw FileErrors.cannotWrite(files.container(), e);
            }
        }
        return open(plan, files, (path, length) -> OutputFile.open(path));
    }

    /** Opens files that were made: someone who comes too late, when they have their final names, makes no new ones. */
    static OpenOutput of(Plan plan, PartialFiles files) {
        return open(plan, files, (path, length) -> OutputFile.openExisting(path));
    }

    /** The same for one of several processes that fill at once; what it writes beside others goes to the edges. */
    static OpenOutput of(Plan plan, PartialFiles files, PageEdges edges) {
        return open(plan, files, edges::open);
    }

    private static OpenOutput open(Plan plan, PartialFiles files, Opener opening) {
        PlanOutput out = PlanOutput.open(files.container(), plan, opening, OutputFile::open);
        return open(plan, out, files.index(), opening, DeferredValues.open(files.container(), plan, opening));
    }

    /** A container and its sidecar as they should be, to be written whole; what differs goes to the patches. */
    public static OpenOutput patched(Plan plan, Path container, Path sidecar, FilePatches patches) {
        Opener opening = (path, length) -> patches.file(path);
        PlanOutput out = PlanOutput.open(container, plan, opening, patches::file);
        // Patches of their own, which are never applied: the notes are needed only while all is written.
        var unapplied = new FilePatches();
        return open(
                plan,
                out,
                sidecar,
                opening,
                DeferredValues.open(container, plan, (path, length) -> unapplied.file(path)));
    }

    private static OpenOutput open(
            Plan plan, PlanOutput out, Path sidecar, Opener opening, @Nullable DeferredValues notes) {
        try {
            OutputFile own = plan.index().isContainer() ? out.file() : null;
            OutputFile index =
                    own != null ? own : opening.open(sidecar, plan.index().length());
            return new OpenOutput(out, index, notes);
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

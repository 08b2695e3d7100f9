package dev.stoker.pack;

import dev.stoker.format.Plan;
import dev.stoker.memory.OutputFile;
import org.jspecify.annotations.Nullable;

/**
 * The partial files of a plan, open.
 *
 * @param index the file that the Index is in: the container's own, or the sidecar
 * @param notes null if the plan needs none
 */
record Opened(Output out, OutputFile index, @Nullable Notes notes) implements AutoCloseable {
    static Opened of(Plan plan, PartialFiles files) {
        Output out = Output.open(files.container(), plan);
        try {
            OutputFile own = plan.index().isContainer() ? out.file() : null;
            OutputFile index = own != null ? own : OutputFile.open(files.index());
            return new Opened(out, index, Notes.open(files.container(), plan));
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

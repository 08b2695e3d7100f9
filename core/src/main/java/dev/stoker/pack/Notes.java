package dev.stoker.pack;

import dev.stoker.format.Plan;
import dev.stoker.memory.Layouts;
import dev.stoker.memory.OutputFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the runs of an unfinished pack noted: u32 for each, at its place, so that any process writes
 * and reads it. Never trusted from an earlier try: a run that is taken over is noted again.
 */
final class Notes implements AutoCloseable {
    private static final int WIDTH = 4;

    private final OutputFile file;

    private Notes(OutputFile file) {
        this.file = file;
    }

    static Path beside(Path partial) {
        return partial.resolveSibling(partial.getFileName() + ".notes");
    }

    /** The notes of a pack, or null if its plan needs none. */
    static @Nullable Notes open(Path partial, Plan plan, Output.Opener opening) {
        return plan.lateRuns() == 0 ? null : new Notes(opening.open(beside(partial), Long.MAX_VALUE));
    }

    static void delete(Path partial) throws IOException {
        Files.deleteIfExists(beside(partial));
    }

    void write(long first, MemorySegment rows) {
        file.write(first * WIDTH, rows);
    }

    int[] read(long first, int count) {
        MemorySegment rows = MemorySegment.ofArray(new byte[count * WIDTH]);
        if (!file.read(first * WIDTH, rows)) {
            throw new IllegalStateException("places up to " + (first + count) + " were not noted");
        }
        return rows.toArray(Layouts.U32);
    }

    @Override
    public void close() {
        file.close();
    }
}

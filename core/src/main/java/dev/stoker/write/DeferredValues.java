package dev.stoker.write;

import dev.stoker.format.Plan;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import dev.stoker.io.OutputNames;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the runs of an unfinished pack noted: u32 for each, at its place, so that any process writes
 * and reads it. Never trusted from an earlier try: a run that is taken over is noted again.
 */
final class DeferredValues implements AutoCloseable {
    private static final int WIDTH = 4;

    private final OutputFile file;

    private DeferredValues(OutputFile file) {
        this.file = file;
    }

    /** The notes of a pack, or null if its plan needs none. */
    static @Nullable DeferredValues open(Path partial, Plan plan, PlanOutput.Opener opening) {
        return plan.lateRuns() == 0
                ? null
                : new DeferredValues(opening.open(OutputNames.notes(partial), Long.MAX_VALUE));
    }

    static void delete(Path partial) throws IOException {
        Files.deleteIfExists(OutputNames.notes(partial));
    }

    void write(long first, MemorySegment rows) {
        file.write(first * WIDTH, rows);
    }

    int[] read(long first, int count) {
        MemorySegment rows = MemorySegment.ofArray(new byte[count * WIDTH]);
        if (!file.read(first * WIDTH, rows)) {
            throw new IllegalStateException("places up to " + (first + count) + " were not noted");
        }
        return rows.toArray(LittleEndian.U32);
    }

    @Override
    public void close() {
        file.close();
    }
}

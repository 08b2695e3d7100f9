package dev.stoker.collect;

import dev.stoker.io.OutputFile;
import dev.stoker.io.OutputNames;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A copy of the head of a file that is being sealed, {@code OUT.partial.head}. Sealing writes the container's head over
 * it; whoever finds the copy begins the sealing anew.
 */
record HeaderBackup(Path path) {
    static HeaderBackup of(Path partial) {
        return new HeaderBackup(OutputNames.head(partial));
    }

    boolean exists() {
        return FileProbe.exists(path);
    }

    /** Returns when the copy is on the disk. */
    void save(OutputFile file, CollectHeader head) throws IOException {
        MemorySegment bytes = head.toBytes();
        file.read(0, bytes);
        Path unfinished = OutputNames.newHead(path);
        try (OutputFile copy = OutputFile.open(unfinished)) {
            copy.resize(0);
            copy.write(0, bytes);
            copy.sync();
        }
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        OutputFile.syncFolderOf(path);
    }

    /** Puts the copy back, if there is one. */
    void restore(OutputFile file) throws IOException {
        if (exists()) {
            file.write(0, MemorySegment.ofArray(Files.readAllBytes(path)));
        }
    }

    void delete() throws IOException {
        Files.deleteIfExists(path);
    }
}

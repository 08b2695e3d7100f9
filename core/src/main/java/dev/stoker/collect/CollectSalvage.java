package dev.stoker.collect;

import dev.stoker.StokerException;
import dev.stoker.io.MappedFile;
import dev.stoker.io.OutputFile;
import dev.stoker.io.OutputNames;
import dev.stoker.os.FileErrors;
import dev.stoker.os.RegularFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Takes a file from ranks that were not closed. One that seems dead may only hang, with a write under way that nothing
 * can stop, so what is whole is copied to a file that no rank has open, and that gets the name.
 */
final class CollectSalvage {
    private CollectSalvage() {}

    /**
     * Replaces a file by a copy of its whole batches, which is on the disk before it has the name.
     *
     * @return what is missing
     */
    static List<String> takeOver(CollectHeader head, OutputFile file) throws IOException {
        Path copy = OutputNames.salvaged(file.path());
        try {
            List<String> missing;
            do {
                missing = copyMarked(head, file, copy);
                // A rank that has just begun may have found no head, and have written one over the mark.
            } while (!CollectHeader.isSealing(file));
            Files.move(copy, file.path(), StandardCopyOption.ATOMIC_MOVE);
            OutputFile.syncFolderOf(file.path());
            return missing;
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /** The order matters: a rank looks for the mark after each write, so what was written before it is found here. */
    private static List<String> copyMarked(CollectHeader head, OutputFile file, Path copy) throws IOException {
        CollectHeader.markSealing(file);
        file.sync();
        Files.deleteIfExists(copy); // of a try that was killed; there is one try at a time
        try (MappedFile mapped = MappedFile.open(file.path())) {
            var scan = new BatchScanner(head, mapped.bytes());
            copy(head, scan, file.path(), copy);
            return scan.missing();
        }
    }

    private static void copy(CollectHeader head, BatchScanner scan, Path from, Path to) throws IOException {
        try (FileChannel source = RegularFile.open(from);
                FileChannel target = FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
            var bytes = head.toSealingBytes().asByteBuffer();
            while (bytes.hasRemaining()) {
                target.write(bytes);
            }
            for (CollectedBatch batch : scan.all()) {
                copy(batch, source, target);
            }
            target.force(true);
        } catch (IOException e) {
            throw new StokerException(
                    FileErrors.cannotWrite(to, e).getMessage() + ". What was collected is still in [" + from
                            + "]; salvaging needs room for a copy of it, " + scan.bytes()
                            + " bytes: make room, then run stoker seal --salvage again",
                    e);
        }
    }

    /** To the same place: what lies between batches stays a gap. */
    private static void copy(CollectedBatch batch, FileChannel source, FileChannel target) throws IOException {
        for (long at = batch.start(); at < batch.end(); ) {
            target.position(at);
            long moved = source.transferTo(at, batch.end() - at, target);
            if (moved <= 0) {
                throw new EOFException("it became shorter while it was copied, at byte " + at);
            }
            at += moved;
        }
    }
}

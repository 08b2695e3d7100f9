package dev.stoker.bench.sweep;

import dev.stoker.io.MappedFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.Posix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Drops files from the system's page cache, which everyone may for files that are written out and not mapped. What the
 * system knows of names and places stays: only root can drop that.
 */
final class PageCache {
    /** Of many files so many are looked at, and of a long file so many places. */
    private static final int PROBES = 64;

    /** A file of this size is looked at however many there are. */
    private static final long LARGE = 1 << 20;

    private static final double MOST_LEFT = 0.1;
    private static final int TRIES = 5;
    private static final int WAIT_MILLIS = 50;

    private PageCache() {}

    /** Drops a file, or all files below a folder; returns whether nearly all of it is gone. */
    static boolean drop(Path root) {
        for (int tries = 1; !isDropped(root); tries++) {
            if (tries == TRIES) {
                return false;
            }
            System.gc(); // files that were mapped and are used no longer stay mapped until then
            pause();
        }
        return true;
    }

    private static void pause() {
        try {
            Thread.sleep(WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isDropped(Path root) {
        try {
            var left = new Left();
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    drop(file, left, attributes.size());
                    return FileVisitResult.CONTINUE;
                }
            });
            return left.resident <= MOST_LEFT * left.bytes;
        } catch (IOException e) {
            throw FileErrors.cannotRead(root, e);
        }
    }

    private static final class Left {
        private int files;
        private double bytes;
        private double resident;
    }

    private static void drop(Path file, Left left, long size) throws IOException {
        int open = Posix.open(Posix.HERE, file.toString().getBytes(StandardCharsets.UTF_8));
        try {
            Posix.dropCached(open);
        } finally {
            Posix.close(open);
        }
        if (size > 0 && (left.files++ < PROBES || size > LARGE)) {
            try (MappedFile mapped = MappedFile.open(file)) {
                left.bytes += size;
                for (int i = 0; i < PROBES; i++) {
                    left.resident +=
                            Posix.isResident(mapped.bytes(), i * size / PROBES, 1) ? (double) size / PROBES : 0;
                }
            }
        }
    }
}

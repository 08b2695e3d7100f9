package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.os.LocalSocket;
import dev.stoker.os.LockFile;
import dev.stoker.stage.node.FileAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Held by the one process of a user that looks for a staged folder in a place, or makes one. It is a file of this user's
 * own, since anybody could lock the place itself for ever; whoever held it deletes it.
 */
final class PlaceLock implements AutoCloseable {
    private static final long LOOK_MILLIS = 20;

    private final Path path;
    private final LockFile lock;

    private PlaceLock(Path path, LockFile lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Waits for the lock; null if a process of this user, such as a stopped one, does not let go of it. */
    static @Nullable PlaceLock await(StagingPlace place, Duration patience) throws IOException {
        Path path = place.folder().resolve(".stoker-" + LocalSocket.user() + ".lock");
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            PlaceLock taken = take(path);
            if (taken != null || System.nanoTime() > end) {
                return taken;
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StokerException("interrupted", e);
            }
        }
    }

    private static @Nullable PlaceLock take(Path path) throws IOException {
        requireMine(path);
        LockFile opened = LockFile.file(path);
        boolean isTaken = false;
        try {
            requireMine(path);
            // Whoever had it before may have deleted it after it was opened here.
            isTaken = opened.tryAlone() && opened.isNamed();
            return isTaken ? new PlaceLock(path, opened) : null;
        } finally {
            if (!isTaken) {
                opened.close();
            }
        }
    }

    /** Another user's file would be locked for as long as that user likes. */
    private static void requireMine(Path path) throws IOException {
        try {
            if (!FileAttributes.of(path).isMine()) {
                throw new StokerException(
                        path,
                        "should be yours, since it is the lock that your processes"
                                + " stage with, but belongs to another user; ask for it to be deleted, or choose another"
                                + " place with --to");
            }
        } catch (NoSuchFileException e) {
            // There is none, or whoever held it has just deleted it.
        }
    }

    @Override
    public void close() {
        try (lock) {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new StokerException(path, "cannot be deleted: " + e.getMessage(), e);
        }
    }
}

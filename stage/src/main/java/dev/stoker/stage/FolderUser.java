package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.os.FileErrors;
import dev.stoker.os.LockFile;
import dev.stoker.stage.node.ProcessStat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * This process as one that runs a command with staged data: a file in the folder {@code users}, locked as long as the
 * process lives, with the command's process in it. The {@link CleanupWatcher} waits for that lock.
 */
final class FolderUser implements AutoCloseable {
    private final StagedFolder folder;
    private final Path file;
    private final LockFile lock;

    FolderUser(StagedFolder folder) {
        this.folder = folder;
        this.file = folder.path().resolve("users").resolve(UUID.randomUUID().toString());
        this.lock = LockFile.file(file);
        if (!lock.tryAlone()) {
            throw new StokerException(file, "is locked by another process");
        }
    }

    Path file() {
        return file;
    }

    StagedFolder folder() {
        return folder;
    }

    /** Notes the process that runs with the data, for the watcher to end it if this one cannot. */
    void runs(long process) {
        String text = process + " " + ProcessStat.of(Long.toString(process)).started() + "\n";
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
        }
    }

    /** Leaves in order. The file goes first: the watcher, which wakes then, sees that nothing is left to do. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new StokerException(file, "cannot be deleted: " + e.getMessage(), e);
        } finally {
            lock.close();
            folder.leave();
        }
    }
}

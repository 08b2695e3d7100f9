package dev.stoker.cli.pack;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.concurrent.Progress;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.container.Sidecar;
import dev.stoker.io.ScratchFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder of this machine where a container is packed that is to be stored remotely: every byte has its place before it
 * is written, but not every byte is known in that order, as object storage would want it. Gone when the process ends.
 */
final class RemoteUpload {
    private static final int AT_ONCE = 8;

    private final RemotePath output;
    private final Path folder;

    private RemoteUpload(RemotePath output, Path folder) {
        this.output = output;
        this.folder = folder;
    }

    /** Refuses an output that several processes are to write together, if it is remote. */
    static void requireShared(Path output) {
        if (output instanceof RemotePath) {
            throw new UsageException(
                    output,
                    "object storage doesn't support several processes writing one"
                            + " file; choose an OUT on a shared disk and upload it");
        }
    }

    /** Makes the folder, unless the output may not be overwritten. */
    static RemoteUpload create(RemotePath output, boolean resume, boolean force) {
        requireFree(output, resume, force);
        try {
            Path folder = Files.createTempDirectory(ScratchFile.folder(), "stoker-outbox-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return new RemoteUpload(output, folder);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(ScratchFile.folder(), e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            // What is left is among other temporary files.
        }
    }

    /** Refuses to overwrite an existing object, before anything is packed. */
    private static void requireFree(Path output, boolean resume, boolean force) {
        if (resume) {
            throw new UsageException(
                    output, "uploads to S3 can't be resumed; leave out --resume, or choose an OUT on a disk");
        }
        if (!force && FileProbe.exists(output)) {
            throw new StokerException(output, "already exists; use --force to overwrite it");
        }
    }

    /** Where the container is packed. */
    Path file() {
        return folder.resolve(String.valueOf(output.getFileName()));
    }

    /** Stores all that was packed: the files of a folder, then the Index, then the container, so who sees that sees all. */
    void send(Progress progress) {
        List<Path> members = files(path -> !folder.equals(path.getParent()));
        List<Path> last = files(path -> folder.equals(path.getParent()));
        long bytes = Stream.concat(members.stream(), last.stream())
                .mapToLong(RemoteUpload::size)
                .sum();
        progress.begin("storing", members.size() + last.size(), bytes);
        WorkerPool.run(AT_ONCE, members.size(), () -> number -> send(members.get((int) number), progress));
        last.stream()
                .sorted(Comparator.comparing(path -> !path.toString().endsWith(Sidecar.ENDING)))
                .forEach(path -> send(path, progress));
    }

    private void send(Path path, Progress progress) {
        String below = folder.relativize(path).toString();
        if (output.resolveSibling(below) instanceof RemotePath to) {
            to.put(path, sent -> progress.add(0, sent));
            progress.add(1, 0);
        }
    }

    private List<Path> files(java.util.function.Predicate<Path> wanted) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(FileProbe::isFile).filter(wanted).sorted().toList();
        } catch (IOException e) {
            throw FileErrors.cannotWrite(folder, e);
        }
    }

    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }
}

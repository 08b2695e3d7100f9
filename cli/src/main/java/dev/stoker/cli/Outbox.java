package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.format.Sidecar;
import dev.stoker.memory.Found;
import dev.stoker.memory.OutputFile;
import dev.stoker.memory.RemotePath;
import dev.stoker.memory.ScratchFile;
import dev.stoker.pack.Progress;
import dev.stoker.pack.Workers;
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
final class Outbox {
    private static final int AT_ONCE = 8;

    private final RemotePath output;
    private final Path folder;

    private Outbox(RemotePath output, Path folder) {
        this.output = output;
        this.folder = folder;
    }

    static Outbox create(RemotePath output) {
        try {
            Path folder = Files.createTempDirectory(ScratchFile.folder(), "stoker-outbox-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return new Outbox(output, folder);
        } catch (IOException e) {
            throw OutputFile.cannotWrite(ScratchFile.folder(), e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            // What is left lies with other temporary files.
        }
    }

    /** Refuses to write over what is there, before anything is packed. */
    static void requireFree(Path output, boolean resume, boolean force) {
        if (resume) {
            throw new StokerException("[" + output + "] --resume needs an OUT on a disk: nothing is left to go on with"
                    + " of one on S3");
        }
        if (!force && Found.exists(output)) {
            throw new StokerException("[" + output + "] exists already; --force writes over it");
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
                .mapToLong(Outbox::size)
                .sum();
        progress.begin("storing", members.size() + last.size(), bytes);
        Workers.run(AT_ONCE, members.size(), () -> number -> send(members.get((int) number), progress));
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
            return all.filter(Found::isFile).filter(wanted).sorted().toList();
        } catch (IOException e) {
            throw OutputFile.cannotWrite(folder, e);
        }
    }

    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (IOException e) {
            throw OutputFile.cannotWrite(path, e);
        }
    }
}

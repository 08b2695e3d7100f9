package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.format.Ability;
import dev.stoker.format.Container;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.format.Sidecar;
import dev.stoker.format.StkFormat;
import dev.stoker.memory.Found;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.RemotePath;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an output may be written over: never what it is made from, and of folders only containers. */
final class Overwriting {
    private Overwriting() {}

    /**
     * Refuses an output that is, or holds, what it is made from or the current folder. A container may be written anew
     * in its own place.
     *
     * @param asked the name that was given
     * @param output the file or folder that is written, which may be one in a folder of that name
     */
    static void refuseSources(Path asked, Path output, List<Path> sources) {
        try {
            if (Found.isFolder(output) && Path.of("").toRealPath().startsWith(output.toRealPath())) {
                throw new StokerException("[" + output
                        + "] is the current folder or one above it, which is not written over; choose another output");
            }
            for (Path source : sources) {
                if (!(source instanceof RemotePath) && Found.exists(source)) {
                    refuseSource(asked, output, source);
                }
            }
        } catch (IOException e) {
            throw MappedFile.cannotRead(output, e);
        }
    }

    private static void refuseSource(Path asked, Path output, Path source) throws IOException {
        Path from = Formats.fileOf(source).toRealPath();
        if (Found.exists(output)) {
            Path to = output.toRealPath();
            if (from.equals(to) ? isContainer(from) : to.startsWith(from) && isPacked(to)) {
                return;
            }
            if (to.startsWith(from)) {
                throw new StokerException("[" + output + "] is "
                        + (from.equals(to) ? "" : "there already, and a part of ")
                        + "what is to be read, which is not written over; choose another output");
            }
        }
        if (Found.exists(asked) && from.startsWith(asked.toRealPath())) {
            throw new StokerException("[" + asked + "] holds what is to be read, [" + source
                    + "], and is not written over; choose another output");
        }
    }

    /** Whether an output in a source's folder is that of an earlier pack, and no sample. */
    private static boolean isPacked(Path output) {
        return Sidecar.isBeside(output) || formatOf(output) instanceof StkFormat;
    }

    private static boolean isContainer(Path path) {
        return Found.isFolder(path) ? isFolderContainer(path) : formatOf(path) != null;
    }

    private static @Nullable Format formatOf(Path file) {
        if (!Found.isFile(file)) {
            return null;
        }
        try (MappedFile mapped = MappedFile.open(file)) {
            return Container.isKnown(mapped) ? Container.formatOf(mapped) : null;
        }
    }

    private static boolean isFolderContainer(Path folder) {
        return !Formats.isLoose(folder) || Sidecar.isBeside(folder);
    }

    /** Refuses a file where the format writes a folder, and the other way round: the one cannot take the other's place. */
    static void requireKind(Format format, Path output) {
        boolean isFolder = Found.isFolder(output);
        if (!isFolder && !Found.isFile(output)) {
            throw new StokerException(
                    "[" + output + "] is neither a file nor a folder, and is not written over; choose another output");
        }
        if (isFolder == format.can(Ability.SINGLE_FILE)) {
            throw wrongKind(format, output, isFolder);
        }
    }

    static StokerException wrongKind(Format format, Path found, boolean isFolder) {
        return new StokerException("[" + found + "] is a " + (isFolder ? "folder" : "file") + ", but format "
                + format.name() + " writes a " + (isFolder ? "file" : "folder") + "; choose another output");
    }

    /** Refuses a folder that is no container, or that someone put more files into. */
    static void requireContainer(Path folder) {
        if (!Found.isFolder(folder) || !Formats.isLoose(folder) || isEmpty(folder)) {
            return;
        }
        if (!Sidecar.isBeside(folder)) {
            throw noContainer(folder);
        }
        requireDeletable(folder);
        try (Container container = openOld(folder)) {
            if (!UnknownFiles.canBeIn(container)) {
                throw noContainer(folder); // the Index is of something else that had this name
            }
            UnknownFiles unknown = UnknownFiles.of(container);
            if (unknown.count() > 0) {
                throw new StokerException(unknown.describe(folder)
                        + ", and is not written over; move them away, or choose another output");
            }
        }
    }

    private static Container openOld(Path folder) {
        try {
            return Container.open(folder);
        } catch (StokerException e) {
            throw new StokerException("[" + folder + "] is not written over, since it cannot be told what it holds ("
                    + e.getMessage() + "); delete it with "
                    + Sidecar.beside(folder).getFileName()
                    + ", or choose another output");
        }
    }

    /** Asked first, since the old files are deleted last: a colleague's cannot be. */
    private static void requireDeletable(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                    if (!Files.isWritable(each)) {
                        throw new StokerException(
                                "[" + folder + "] is not written over: you may not delete what is in [" + each
                                        + "]; ask its owner, or choose another output");
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw MappedFile.cannotRead(folder, e);
        }
    }

    private static StokerException noContainer(Path folder) {
        return new StokerException("[" + folder
                + "] is a folder, but no container, and is not written over; choose another output, or delete it");
    }

    private static boolean isEmpty(Path folder) {
        return Found.in(folder).isEmpty();
    }
}

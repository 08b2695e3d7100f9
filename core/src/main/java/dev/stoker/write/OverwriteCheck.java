package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.FormatDetector;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.format.StkFormat;
import dev.stoker.io.MappedFile;
import dev.stoker.listing.UnknownFiles;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an output may be written over: never what it is made from, and of folders only containers. */
final class OverwriteCheck {
    private OverwriteCheck() {}

    /**
     * Refuses an output that is, or holds, what it is made from or the current folder. A container may be overwritten
     * with what is made from it.
     *
     * @param asked the name that was given
     * @param output the file or folder that is written, which may be one in a folder of that name
     */
    static void refuseSources(Path asked, Path output, List<Path> sources) {
        try {
            if (FileProbe.isFolder(output) && Path.of("").toRealPath().startsWith(output.toRealPath())) {
                throw new StokerException(
                        output,
                        "is the current folder or one above it; refusing to overwrite it. Choose another output");
            }
            for (Path source : sources) {
                if (!(source instanceof RemotePath) && FileProbe.exists(source)) {
                    refuseSource(asked, output, source);
                }
            }
        } catch (IOException e) {
            throw FileErrors.cannotRead(output, e);
        }
    }

    private static void refuseSource(Path asked, Path output, Path source) throws IOException {
        Path from = Formats.fileOf(source).toRealPath();
        if (FileProbe.exists(output)) {
            Path to = output.toRealPath();
            if (from.equals(to) ? isContainer(from) : to.startsWith(from) && isPacked(to)) {
                return;
            }
            if (to.startsWith(from)) {
                throw new StokerException(
                        output,
                        (from.equals(to) ? "is the source" : "already exists and is part of the source")
                                + ", which is never overwritten; choose another output");
            }
        }
        if (FileProbe.exists(asked) && from.startsWith(asked.toRealPath())) {
            throw new StokerException(
                    asked, "holds the source, [" + source + "], and is never overwritten; choose another output");
        }
    }

    /** Whether an output in a source's folder is that of an earlier pack, and no sample. */
    private static boolean isPacked(Path output) {
        return Sidecar.isBeside(output) || formatOf(output) instanceof StkFormat;
    }

    private static boolean isContainer(Path path) {
        return FileProbe.isFolder(path) ? isFolderContainer(path) : formatOf(path) != null;
    }

    private static @Nullable Format formatOf(Path file) {
        if (!FileProbe.isFile(file)) {
            return null;
        }
        try (MappedFile mapped = MappedFile.open(file)) {
            return FormatDetector.isKnown(mapped) ? FormatDetector.of(mapped) : null;
        }
    }

    private static boolean isFolderContainer(Path folder) {
        return !Formats.isLoose(folder) || Sidecar.isBeside(folder);
    }

    /** Refuses a file where the format writes a folder, and the other way round: the one cannot take the other's place. */
    static void requireKind(Format format, Path output) {
        boolean isFolder = FileProbe.isFolder(output);
        if (!isFolder && !FileProbe.isFile(output)) {
            throw new StokerException(
                    output, "is neither a file nor a folder; refusing to overwrite it. Choose another output");
        }
        if (isFolder == format.can(Capability.SINGLE_FILE)) {
            throw wrongKind(format, output, isFolder);
        }
    }

    static StokerException wrongKind(Format format, Path found, boolean isFolder) {
        return new StokerException(
                found,
                "is a " + (isFolder ? "folder" : "file") + ", but format " + format.name() + " writes a "
                        + (isFolder ? "file" : "folder") + "; choose another output");
    }

    /** Refuses a folder that is no container, or that someone put more files into. */
    static void requireContainer(Path folder) {
        if (!FileProbe.isFolder(folder) || !Formats.isLoose(folder) || isEmpty(folder)) {
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
                        + "; refusing to overwrite it. Move them away, or choose another output");
            }
        }
    }

    private static Container openOld(Path folder) {
        try {
            return Container.open(folder);
        } catch (StokerException e) {
            throw new StokerException(
                    folder,
                    "contents cannot be identified ("
                            + e.getMessage() + "); refusing to overwrite it. Delete it and "
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
                                folder,
                                "refusing to overwrite it: you have no permission to delete what is in [" + each
                                        + "]; ask its owner, or choose another output");
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw FileErrors.cannotRead(folder, e);
        }
    }

    private static StokerException noContainer(Path folder) {
        return new StokerException(
                folder,
                "is a folder but not a container; refusing to overwrite it. Choose another output, or delete it");
    }

    private static boolean isEmpty(Path folder) {
        return FileProbe.in(folder).isEmpty();
    }
}

package dev.stoker.container;

import dev.stoker.StokerException;
import dev.stoker.block.BlockCache;
import dev.stoker.block.RemoteByteReader;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.format.StkFormat;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.index.Index;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Opens containers: finds out what a path is, and the Index that belongs to it. */
final class ContainerOpener {
    private ContainerOpener() {}

    /**
     * Opens a container.
     *
     * @param format the name of its format, or null to tell it by its bytes
     */
    static Container open(Path place, @Nullable String format) {
        return open(place, format, Sidecar::load);
    }

    /** The same, but nothing is written beside the container. */
    static Container openToLook(Path place) {
        return open(place, null, Sidecar::loadToLook);
    }

    private static Container open(Path place, @Nullable String format, BiFunction<Format, MappedFile, Index> load) {
        Path path = Formats.fileOf(place);
        if (FileProbe.isFolder(path)) {
            return openFolder(path, format);
        }
        if (path instanceof RemotePath remote) {
            return openRemote(remote, format);
        }
        MappedFile file = MappedFile.open(path);
        try {
            Format found = format != null ? Formats.named(format) : FormatDetector.of(file);
            if (found instanceof StkFormat) {
                file.close();
                Index index = Index.open(path);
                return requireContainer(path, index);
            }
            return EditDetector.require(new Container(path, load.apply(found, file), file, null));
        } catch (RuntimeException e) {
            file.close();
            throw e;
        } catch (InternalError e) {
            file.close();
            throw FileErrors.unreadable(path, e);
        }
    }

    /**
     * Opens a container to look for damage: by the Index from packing that is beside it, if that is of a file of this
     * length, also where head or tail, by which an Index knows its container, are not as they were.
     */
    static Container openDamaged(Path place) {
        Path path = Formats.fileOf(place);
        if (path instanceof RemotePath || !FileProbe.isFile(path)) {
            return open(place, null);
        }
        MappedFile file = MappedFile.open(path);
        try {
            Index index = Sidecar.ofDamaged(path, file.size());
            if (index != null) {
                return new Container(path, index, file, null);
            }
            file.close();
            return open(place, null);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Container openRemote(RemotePath path, @Nullable String format) {
        RemoteObject object = path.require();
        var bytes = new RemoteByteReader(path, object, BlockCache.SHARED);
        Format found = format != null
                ? Formats.named(format)
                : FormatDetector.of(path, bytes.read(0, Math.min(Format.HEAD_BYTES, bytes.size())));
        if (!(found instanceof StkFormat)) {
            return new Container(path, Sidecar.loadRemote(path, found), null, bytes);
        }
        Index index = Index.openRemote(path, object);
        requireOwn(path, index);
        return new Container(path, index, null, bytes);
    }

    /** Opens a file by looking it through, past any Index that is there, and keeps nothing. */
    static Container openAnew(MappedFile file, String format) {
        try (IndexBuilder builder = Formats.named(format).derive(file)) {
            return new Container(
                    file.path(), builder.toMemory(file.name(), format, null, ContainerIdentity.NONE), file, null);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        } catch (InternalError e) {
            file.close();
            throw FileErrors.unreadable(file.path(), e);
        }
    }

    static Container requireContainer(Path path, Index index) {
        requireOwn(path, index);
        return new Container(path, index, null, null);
    }

    private static void requireOwn(Path path, Index index) {
        if (!index.isContainer()) {
            index.close();
            throw new StokerException(path, "is an Index that belongs to another file; open that file instead");
        }
    }

    private static Container openFolder(Path path, @Nullable String format) {
        Path sidecar = Sidecar.beside(path);
        if (Sidecar.isBeside(path)) {
            return EditDetector.require(new Container(path, Index.open(sidecar), null, null));
        }
        if (format == null) {
            PartialPackCheck.refuse(path);
        }
        if (format == null && Formats.isLoose(path)) {
            Formats.refuseNamed(path);
            HuggingFaceFolder.refuse(path);
        }
        Format found = format != null ? Formats.named(format) : Formats.of(path, MemorySegment.NULL);
        if (found == null) {
            throw new StokerException(
                    path, "is a folder without an Index (" + sidecar.getFileName() + "); pack it, or give a container");
        }
        return openFolderAnew(path, found);
    }

    /** As {@link #openAnew} for a folder. */
    static Container openFolderAnew(Path path, Format format) {
        try (IndexBuilder builder = format.deriveFolder(path)) {
            return new Container(
                    path, builder.toMemory(path.toString(), format.name(), null, ContainerIdentity.NONE), null, null);
        }
    }
}

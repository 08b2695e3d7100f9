package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.format.Container;
import dev.stoker.format.Formats;
import dev.stoker.format.Sidecar;
import dev.stoker.format.Unfinished;
import dev.stoker.memory.Found;
import dev.stoker.memory.MappedFile;
import dev.stoker.sample.Samples;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Finds out what a source is, and opens it. */
public final class Sources {
    private Sources() {}

    /** Opens one source. The caller closes. */
    public static Samples open(SourceRequest request) {
        Path path = Formats.fileOf(request.path());
        if (!Found.exists(path)) {
            throw MappedFile.cannotRead(path, new NoSuchFileException(path.toString()));
        }
        boolean folder = Found.isFolder(path);
        if (request.manifest() != null) {
            if (!folder) {
                throw new StokerException("[" + path + "] is a file, but the manifest " + request.manifest()
                        + " names files below a folder; give the folder, or leave out the manifest");
            }
            return ManifestSource.list(path, request.manifest(), request.survey());
        }
        if (folder && !Sidecar.isBeside(path) && Formats.isLoose(path)) {
            Formats.refuseNamed(path);
            Unfinished.refuseItself(path);
            return FolderSource.list(path, request.labels(), request.survey());
        }
        if (!folder && request.team().world() > 1 && Spool.isCompressed(path)) {
            throw new StokerException("[" + path + "] is compressed: each of the "
                    + request.team().world() + " ranks would have to decompress all of it; decompress it first, or"
                    + " pack it with one process");
        }
        Samples container =
                !folder && Spool.isCompressed(path) ? Spool.open(path, request.spool()) : Container.openToCopy(path);
        try {
            if (container instanceof Container opened && request.team().leads()) {
                UnknownFiles.refuse(opened);
            }
            return request.labels() ? Labelled.of(container) : container;
        } catch (RuntimeException e) {
            container.close();
            throw e;
        }
    }

    /** Opens several sources as the splits of one, in the order of the map; they may have one spool. The caller closes. */
    public static Samples openSplits(Map<String, SourceRequest> requests) {
        var splits = new LinkedHashMap<String, Samples>();
        try {
            requests.forEach((name, request) -> splits.put(name, open(request.withSpoolNumber(splits.size()))));
            return Joined.of(splits);
        } catch (RuntimeException e) {
            splits.values().forEach(Samples::close);
            throw e;
        }
    }
}

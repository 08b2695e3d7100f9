package dev.stoker.source;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.container.Container;
import dev.stoker.container.PathKind;
import dev.stoker.format.Formats;
import dev.stoker.listing.FolderSource;
import dev.stoker.listing.UnknownFiles;
import dev.stoker.manifest.ManifestSource;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Samples;
import dev.stoker.transform.JoinedSplits;
import dev.stoker.transform.LabelledSamples;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds out what a source is, and opens it. */
@PublicApi
public final class Sources {
    private Sources() {}

    /** Opens one source. The caller closes. */
    public static Samples open(SourceRequest request) {
        Path path = Formats.fileOf(request.path());
        if (!FileProbe.exists(path)) {
            throw FileErrors.cannotRead(path, new NoSuchFileException(path.toString()));
        }
        boolean folder = FileProbe.isFolder(path);
        if (request.manifest() != null) {
            if (!folder) {
                throw new UsageException(
                        path,
                        "is a file, but the manifest " + request.manifest()
                                + " names files below a folder; give the folder, or leave out the manifest");
            }
            if (request.filter().isChosen()) {
                throw new UsageException(
                        request.manifest(),
                        "already chooses the files; give either --manifest or --include, --exclude and --hidden");
            }
            return ManifestSource.list(path, request.manifest(), request.context());
        }
        if (PathKind.isLooseFiles(path)) {
            return FolderSource.list(path, request.labels(), request.context());
        }
        if (request.filter().isChosen()) {
            throw new UsageException(
                    path,
                    "is a container, whose samples are all packed; --include, --exclude and --hidden apply to the"
                            + " files of a folder");
        }
        if (!folder && request.team().world() > 1 && DecompressedContainer.isCompressed(path)) {
            throw new StokerException(
                    path,
                    "is compressed: each of the "
                            + request.team().world()
                            + " ranks would have to decompress all of it; decompress it first, or"
                            + " pack it with one process");
        }
        Samples container = !folder && DecompressedContainer.isCompressed(path)
                ? DecompressedContainer.open(path, request.spool())
                : Container.openToCopy(path);
        try {
            if (container instanceof Container opened && request.team().leads()) {
                UnknownFiles.refuse(opened);
            }
            return request.labels() ? LabelledSamples.of(container) : container;
        } catch (RuntimeException e) {
            container.close();
            throw e;
        }
    }

    /** Opens several sources as one, in their order; no two samples may have one key. The caller closes. */
    public static Samples openAll(List<SourceRequest> requests) {
        if (requests.size() == 1) {
            return open(requests.getFirst());
        }
        var parts = new LinkedHashMap<String, Samples>();
        try {
            for (SourceRequest request : requests) {
                Samples part = open(request.withSpoolNumber(parts.size()));
                if (parts.putIfAbsent(request.path().toString(), part) != null) {
                    part.close();
                    throw new UsageException(request.path(), "is given twice; give each source once");
                }
                if (!part.splits().isEmpty()) {
                    throw new StokerException(
                            request.path(),
                            "has splits, which would be lost among the samples of other sources; pack it by itself");
                }
            }
            return MergedSources.of(JoinedSplits.of(parts));
        } catch (RuntimeException e) {
            parts.values().forEach(Samples::close);
            throw e;
        }
    }

    /** Opens several sources as the splits of one, in the order of the map; they may have one spool. The caller closes. */
    public static Samples openSplits(Map<String, SourceRequest> requests) {
        var splits = new LinkedHashMap<String, Samples>();
        try {
            requests.forEach((name, request) -> splits.put(name, open(request.withSpoolNumber(splits.size()))));
            return JoinedSplits.of(splits);
        } catch (RuntimeException e) {
            splits.values().forEach(Samples::close);
            throw e;
        }
    }
}

package dev.stoker.stage.copy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.FormatDetector;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Archive;
import dev.stoker.format.Format;
import dev.stoker.format.StkFormat;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.io.MappedFile;
import dev.stoker.listing.FolderSource;
import dev.stoker.os.AvailableCores;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.FileStamp;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import dev.stoker.sample.Samples;
import dev.stoker.source.DecompressedContainer;
import dev.stoker.verify.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A source as it is before anything is copied: a container, an archive of files, a folder, or any other file. */
public final class StageSource implements AutoCloseable {
    private static final int REQUESTS_PER_CORE = 4;
    private static final List<String> COMPRESSED_TARS = List.of(".tar.gz", ".tgz", ".tar.zst", ".tzst");

    private final Path path;
    /** Null if it is on this machine, or no single object. */
    private final @Nullable RemoteObject object;

    private final boolean isFolder;
    /** The file before anything was read of it; null if it is none of this machine. */
    private final @Nullable FileStamp seen;

    /** What is in the folder: listed once, since a parallel filesystem takes its time for that. */
    private @Nullable Samples listing;

    /** The archive's bytes, where they had to be fetched or decompressed to be looked through; that is done once. */
    private @Nullable MappedFile fetched;

    /** The archive's members: found once, since that reads all of a tar. */
    private @Nullable Archive members;

    private @Nullable String identity;

    private StageSource(Path path) {
        this.path = path;
        this.object = path instanceof RemotePath remote ? remote.find() : null;
        this.isFolder = object == null && FileProbe.isFolder(path);
        this.seen = path instanceof RemotePath || !FileProbe.isFile(path) ? null : see(path);
    }

    private static FileStamp see(Path path) {
        try {
            return FileStamp.of(path);
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    /** Finds a source. */
    public static StageSource of(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        var source = new StageSource(absolute);
        if (source.object == null && !FileProbe.exists(absolute)) {
            throw FileErrors.cannotRead(path, new NoSuchFileException(path.toString()));
        }
        return source;
    }

    public Path path() {
        return path;
    }

    public boolean isFolder() {
        return isFolder;
    }

    /** Whether it is not on this machine. */
    public boolean isRemote() {
        return path instanceof RemotePath;
    }

    /** Whether it is an archive of files, which can be extracted as it stands. */
    public boolean isArchive() {
        if (isFolder() || isCompressed()) {
            return !isFolder();
        }
        if (object != null) {
            Format format = FormatDetector.of((RemotePath) path, object);
            return format != null && format.isArchive();
        }
        try (MappedFile file = MappedFile.open(path)) {
            return FormatDetector.isKnown(file) && FormatDetector.of(file).isArchive();
        }
    }

    /** Whether it is a tar that is compressed as a whole. */
    private boolean isCompressed() {
        String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        return DecompressedContainer.isCompressed(path)
                && COMPRESSED_TARS.stream().anyMatch(name::endsWith);
    }

    private synchronized Samples listing() {
        Samples found = listing;
        if (found == null) {
            found = FolderSource.files(path, REQUESTS_PER_CORE * AvailableCores.allocated());
            listing = found;
        }
        return found;
    }

    /** What ties a kept copy to its source; asked for once. */
    public synchronized String identity() {
        String found = identity;
        if (found == null) {
            found = isFolder() ? listing().fingerprint() : object != null ? object.toString() : fileIdentity();
            identity = found;
        }
        return found;
    }

    private String fileIdentity() {
        try {
            ContainerIdentity bytes = ContainerIdentity.of(path);
            return bytes.size() + " " + bytes.sha256() + " "
                    + Files.getLastModifiedTime(path).toMillis();
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    /** Opens it for copying. The caller closes, and before this. */
    public CopyPlan open(StagedForm form) {
        if (form == StagedForm.FILE && !isFolder()) {
            return object != null ? new FileCopyPlan((RemotePath) path, object) : new FileCopyPlan(path);
        }
        return new TreeCopyPlan(files());
    }

    private LooseFiles files() {
        if (isFolder()) {
            return new SampleFiles(listing(), path.toString(), () -> {});
        }
        if (isArchive()) {
            return object != null || isCompressed() ? fetchedArchive() : archive();
        }
        Container container = Container.open(path);
        return new SampleFiles(container, path.toString(), container::close);
    }

    private LooseFiles archive() {
        try (MappedFile file = MappedFile.open(path)) {
            return new ArchiveFiles(path, members(file), () -> new LocalCopySource(path));
        }
    }

    /** Where the members of an archive are is only known by reading all of it. */
    private LooseFiles fetchedArchive() {
        MappedFile file = fetched();
        return new ArchiveFiles(path, members(file), () -> new FetchedFile(file));
    }

    private synchronized Archive members(MappedFile file) {
        Archive found = members;
        if (found == null) {
            found = FormatDetector.of(file).archive(file);
            members = found;
        }
        return found;
    }

    private synchronized MappedFile fetched() {
        MappedFile found = fetched;
        if (found == null) {
            found = isCompressed() ? DecompressedContainer.map(path) : MappedFile.open(path);
            fetched = found;
        }
        return found;
    }

    /** Compares a copy with the checksums that remote storage keeps of the object. */
    public void compare(Path copy) {
        if (object != null) {
            ((RemotePath) path).compare(object, copy);
        }
    }

    /**
     * Reports a source that is no longer what it was: a copy of it may be a part of each version. The files of a folder
     * are looked at when they are read.
     */
    public void requireUnchanged() {
        if (seen != null) {
            seen.requireUnchanged("staged");
        }
        if (object != null && !object.equals(((RemotePath) path).find())) {
            throw new StokerException(path, "changed while it was being staged; stage it again");
        }
    }

    @Override
    public synchronized void close() {
        if (listing != null) {
            listing.close();
            listing = null;
        }
        if (members != null) {
            members.close();
            members = null;
        }
        if (fetched != null) {
            fetched.close();
            fetched = null;
        }
    }

    /** Compares every value of a copied container with its checksum from packing, where it has such. */
    public static void verify(Path copy, Progress progress) {
        try (MappedFile file = MappedFile.open(copy)) {
            boolean hasIndex = FileProbe.exists(Sidecar.beside(copy))
                    || (FormatDetector.isKnown(file) && FormatDetector.of(file) instanceof StkFormat);
            if (!hasIndex) {
                return;
            }
        }
        try (Container container = Container.open(copy)) {
            Verifier.Report report = Verifier.verify(container, AvailableCores.allocated(), progress);
            if (!report.isIntact()) {
                throw new StokerException(
                        copy,
                        report.damaged() + " of " + report.checked()
                                + " values don't match their checksums; the copy equals its source, so the source is"
                                + " damaged (see stoker verify). The first: "
                                + report.listed().getFirst().reason());
            }
        }
    }
}

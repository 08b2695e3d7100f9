package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.format.Archive;
import dev.stoker.format.Container;
import dev.stoker.format.Sidecar;
import dev.stoker.format.StkFormat;
import dev.stoker.index.Identity;
import dev.stoker.memory.Cores;
import dev.stoker.memory.MappedFile;
import dev.stoker.pack.FolderSource;
import dev.stoker.pack.Progress;
import dev.stoker.pack.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A source as it is before anything is copied: a container, an archive of files, a folder, or any other file. */
public record Goods(Path path) {
    private static final int REQUESTS_PER_CORE = 4;

    /** Finds a source. */
    public static Goods of(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        if (!Files.exists(absolute)) {
            throw MappedFile.cannotRead(path, new NoSuchFileException(path.toString()));
        }
        return new Goods(absolute);
    }

    public boolean isFolder() {
        return Files.isDirectory(path);
    }

    /** Whether it is an archive of files, which can be extracted as it stands. */
    public boolean isArchive() {
        if (isFolder()) {
            return false;
        }
        try (MappedFile file = MappedFile.open(path);
                Archive archive = openArchive(file)) {
            return archive != null;
        }
    }

    private static @Nullable Archive openArchive(MappedFile file) {
        return Container.isKnown(file) ? Container.formatOf(file).archive(file) : null;
    }

    /** What ties a kept copy to its source. */
    String identity() {
        try {
            if (isFolder()) {
                try (var files = FolderSource.files(path, REQUESTS_PER_CORE * Cores.allocated())) {
                    return files.fingerprint();
                }
            }
            Identity identity = Identity.of(path);
            return identity.size() + " " + identity.sha256() + " "
                    + Files.getLastModifiedTime(path).toMillis();
        } catch (IOException e) {
            throw MappedFile.cannotRead(path, e);
        }
    }

    /** Opens it for copying. The caller closes. */
    Cargo open(Form form) {
        if (form == Form.FILE && !isFolder()) {
            return new FileCargo(path);
        }
        return new TreeCargo(files());
    }

    private LooseFiles files() {
        if (isFolder()) {
            return new SampleFiles(FolderSource.files(path, REQUESTS_PER_CORE * Cores.allocated()), path.toString());
        }
        try (MappedFile file = MappedFile.open(path)) {
            Archive archive = openArchive(file);
            if (archive != null) {
                return new ArchiveFiles(path, archive);
            }
        }
        return new SampleFiles(Container.open(path), path.toString());
    }

    /** Compares every value of a copied container with its checksum from packing, where it has such. */
    static void verify(Path copy, Progress progress) {
        try (MappedFile file = MappedFile.open(copy)) {
            boolean hasIndex = Files.exists(Sidecar.beside(copy))
                    || (Container.isKnown(file) && Container.formatOf(file) instanceof StkFormat);
            if (!hasIndex) {
                return;
            }
        }
        try (Container container = Container.open(copy)) {
            Verifier.Report report = Verifier.verify(container, Cores.allocated(), progress);
            if (!report.isIntact()) {
                throw new StokerException("[" + copy + "] " + report.damaged() + " of " + report.checked()
                        + " values do not fit their checksums, the first: "
                        + report.listed().getFirst().reason()
                        + "; the copy is like its source, so that is damaged: see stoker verify");
            }
        }
    }
}

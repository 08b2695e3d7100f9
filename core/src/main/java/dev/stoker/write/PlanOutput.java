package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.format.Plan;
import dev.stoker.format.PlannedFolder;
import dev.stoker.format.PlannedFolder.PlannedFile;
import dev.stoker.io.OutputFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a plan's runs are written to: one file, a folder of planned files, or a folder with a file for each sample. */
final class PlanOutput implements AutoCloseable {
    /** A file that one write fills is opened for it; a larger one stays open for all that write to it. */
    private static final long SMALL = 1 << 20;

    private final Path path;
    private final @Nullable OutputFile file;
    private final @Nullable PlannedFolder folder;
    private final Opener opening;
    private final Function<Path, OutputFile> making;
    private final Map<String, OutputFile> opened = new ConcurrentHashMap<>();

    /**
     * The file that a run is written to.
     *
     * @param file null where each sample gets a file of its own
     * @param start where it begins among the container's bytes
     * @param isOwn whether whoever asked closes it
     */
    record Place(@Nullable OutputFile file, long start, boolean isOwn) {}

    /** Opens a file, made or to be made, which is to have this length when all is filled. */
    interface Opener {
        OutputFile open(Path path, long length);
    }

    private PlanOutput(
            Path path,
            @Nullable OutputFile file,
            @Nullable PlannedFolder folder,
            Opener opening,
            Function<Path, OutputFile> making) {
        this.path = path;
        this.opening = opening;
        this.making = making;
        this.file = file;
        this.folder = folder;
    }

    /**
     * Opens what a plan is written to.
     *
     * @param making opens a file that holds one sample, and makes it if it is not there
     */
    static PlanOutput open(Path path, Plan plan, Opener opening, Function<Path, OutputFile> making) {
        return plan.isTree()
                ? new PlanOutput(path, null, plan.folder(), opening, making)
                : new PlanOutput(path, opening.open(path, plan.length()), null, opening, making);
    }

    private static void makeFolder(@Nullable Path folder) {
        try {
            if (folder != null) {
                Files.createDirectories(folder);
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(folder, e);
        }
    }

    /** The one file; null for a folder. */
    @Nullable
    OutputFile file() {
        return file;
    }

    /** Whether the files of the folder are planned, and have their lengths before they are filled. */
    boolean isPlanned() {
        return folder != null;
    }

    /** Makes what is planned, so that all ranks can write into it. */
    void prepare(long length) {
        if (file != null) {
            file.resize(length);
        }
        if (folder != null) {
            for (PlannedFile planned : folder.files()) {
                makeFolder(inside(planned.path()).getParent());
                try (var made = opening.open(inside(planned.path()), planned.length())) {
                    made.resize(planned.length());
                }
            }
        }
    }

    /** Where a run that begins at this byte of the container is written to. */
    Place place(long offset) {
        if (folder == null) {
            return new Place(file, 0, false);
        }
        PlannedFile planned = folder.at(offset);
        boolean isOwn = planned.length() <= SMALL;
        OutputFile to = isOwn
                ? opening.open(inside(planned.path()), planned.length())
                : opened.computeIfAbsent(planned.path(), name -> opening.open(inside(name), planned.length()));
        return new Place(to, planned.offset(), isOwn);
    }

    private Path inside(String name) {
        Path member = path.resolve(name).normalize();
        if (!member.startsWith(path) || member.equals(path)) {
            throw new StokerException("the key '" + name + "' leaves the folder");
        }
        return member;
    }

    /**
     * The file of a folder that holds one sample. What is in it already stays: another who fills the same run may just
     * have written it. Whoever has written all of it cuts off what is behind.
     */
    OutputFile member(byte[] name) {
        Path member = inside(new String(name, StandardCharsets.UTF_8));
        try {
            Path parent = member.getParent();
            if (parent != null && !FileProbe.isFolder(parent)) {
                requireThere();
                Files.createDirectories(parent);
            }
        } catch (FileAlreadyExistsException e) {
            throw new StokerException(
                    member, "is needed as a folder and as a file: two keys conflict; rename one of them", e);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(member, e);
        }
        return making.apply(member);
    }

    /** Someone who comes too late, when the folder has its final name, makes no new one. */
    private void requireThere() throws IOException {
        if (!FileProbe.isFolder(path)) {
            throw new NoSuchFileException(path.toString());
        }
    }

    void sync() {
        if (file != null) {
            file.sync();
            return;
        }
        try {
            Files.walkFileTree(path, new SyncEach(path));
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }

    /** Brings to the disk what this process wrote; of many loose files it would have to be noted which. */
    void syncShare() {
        if (file != null || folder != null) {
            sync();
        } else {
            OutputFile.syncFilesystemOf(path);
        }
    }

    /** Files and the names in their folders: the one is lost without the other. */
    private static final class SyncEach extends SimpleFileVisitor<Path> {
        /**
         * Where there are more, all that is left is brought to the disk at once, which takes a third of the time for each
         * of them; but then it is waited for what others have written to this filesystem too.
         */
        private static final int FEW = 1000;

        private final Path root;
        private long synced;

        SyncEach(Path root) {
            this.root = root;
        }

        @Override
        public FileVisitResult visitFile(Path member, BasicFileAttributes attributes) {
            if (synced++ == FEW) {
                OutputFile.syncFilesystemOf(root);
            }
            OutputFile.syncNow(member);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            OutputFile.syncNow(folder);
            return FileVisitResult.CONTINUE;
        }
    }

    @Override
    public void close() {
        opened.values().forEach(OutputFile::close);
        if (file != null) {
            file.close();
        }
    }
}

package dev.stoker.container;

import dev.stoker.StokerException;
import dev.stoker.format.Format;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.index.Index;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.io.ScratchFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileOwnership;
import dev.stoker.os.FileProbe;
import dev.stoker.os.FileStamp;
import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the Index of a container that does not hold its own: beside it as {@code NAME.stkx}, or, where its folder may
 * not be written, in the user's cache. One that does not belong to the container is made anew, unless it holds
 * checksums: those cannot be had again, so that is reported. One that another user put beside it, in a
 * folder that everybody may write to, or into the cache, is passed over. What is derived may be read by those who may
 * read the container.
 */
public final class Sidecar {
    public static final String ENDING = ".stkx";

    private Sidecar() {}

    /** The sidecar's usual place. */
    public static Path beside(Path container) {
        Path absolute = container.toAbsolutePath().normalize();
        return absolute.resolveSibling(absolute.getFileName() + ENDING);
    }

    /**
     * Whether a container, a folder too, has something beside it that may be its Index. What another user put there, where
     * everybody may write, is passed over.
     */
    public static boolean isBeside(Path container) {
        Path place = beside(container);
        return FileProbe.exists(place) && isTrusted(place, container);
    }

    /** Whether a file has an Index that belongs to it, so that opening it derives and writes nothing. */
    public static boolean isThere(Path container) {
        try (Index found = find(container, ContainerIdentity.of(container))) {
            return found != null;
        }
    }

    /** Opens the Index of a file, deriving and keeping it if need be. */
    public static Index load(Format format, MappedFile file) {
        return load(format, file, List.of(beside(file.path()), IndexCache.place(file.path())));
    }

    /** The same, but an Index that has to be derived is kept in the user's cache, not beside the container. */
    static Index loadToLook(Format format, MappedFile file) {
        return load(format, file, List.of(IndexCache.place(file.path())));
    }

    private static Index load(Format format, MappedFile file, List<Path> places) {
        ContainerIdentity identity = ContainerIdentity.of(file.path());
        Index found = find(file.path(), identity);
        if (found != null) {
            return found;
        }
        Index derived = derive(format, file, identity, places);
        if (derived != null) {
            return derived;
        }
        // Somebody has put one there meanwhile, as who copies a pair does: it says itself whether it fits.
        found = find(file.path(), ContainerIdentity.of(file.path()));
        if (found != null) {
            return found;
        }
        // An Index that cannot be used is left alone: its checksums may be nowhere else.
        derived = derive(format, file, identity, List.of(IndexCache.place(file.path())));
        return derived != null ? derived : inMemory(format, file, identity);
    }

    /** Whether what is at a place, if anything, can be derived again. */
    private static boolean isReplaceable(Path place) {
        if (place instanceof RemotePath || !FileProbe.exists(place)) {
            return false;
        }
        try (Index index = Index.open(place)) {
            return !index.isPacked() && !index.hasChecksums();
        } catch (StokerException e) {
            return false;
        }
    }

    /**
     * The Index from packing that is beside a file of the right length, whatever the file's bytes are: damage of its head
     * or tail must not keep anyone from finding what else is damaged. Null if there is none.
     */
    static @Nullable Index ofDamaged(Path container, long size) {
        if (!isBeside(container)) {
            return null;
        }
        Index index = Index.open(beside(container));
        if (index.isPacked() && !index.isContainer() && index.identity().size() == size) {
            return index;
        }
        index.close();
        return null;
    }

    /** Opens the Index of an object on remote storage, which is not looked through by the way: that reads all of it. */
    static Index loadRemote(RemotePath path, Format format) {
        Index found = find(path, ContainerIdentity.of(path));
        if (found == null) {
            throw new StokerException(
                    path,
                    "has no Index beside it (" + path.getFileName() + ENDING
                            + "), and finding the samples of this format (" + format.name()
                            + ") means to read all of it; do that once with: stoker index " + path
                            + ", or stage it first");
        }
        return found;
    }

    private static @Nullable Index find(Path container, ContainerIdentity identity) {
        for (Path place : new Path[] {beside(container), IndexCache.place(container)}) {
            if (FileProbe.exists(place) && isTrusted(place, container)) {
                Index index = openIfFits(place, container, identity);
                if (index != null) {
                    return index;
                }
            }
        }
        return null;
    }

    /** Colleagues share the folder of a container, but not a cache: whoever owns that could have put anything there. */
    private static boolean isTrusted(Path place, Path container) {
        return IndexCache.holds(place)
                ? FileOwnership.mayDescribeAnywhere(place, container)
                : FileOwnership.mayDescribe(place, container);
    }

    private static @Nullable Index openIfFits(Path place, Path container, ContainerIdentity identity) {
        Index index;
        try {
            index = Index.open(place);
        } catch (StokerException e) {
            throw new StokerException(
                    e.getMessage() + ". It is the Index of [" + container
                            + "]; if it holds no checksums that you need, rebuild it with: stoker index --force "
                            + container,
                    e);
        }
        boolean isPacked = index.isPacked();
        boolean isPrecious = isPacked || index.hasChecksums();
        boolean fits = index.identity().equals(identity) && !index.isContainer();
        if (fits && (isPrecious || !isOlder(place, container))) {
            return index;
        }
        ContainerIdentity expected = index.identity();
        index.close();
        if (isPrecious) {
            throw new StokerException(
                    container,
                    "does not match its Index " + place.getFileName()
                            + ", which holds checksums" + (isPacked ? " from packing" : "") + ": it should have "
                            + expected.size() + " bytes and hash "
                            + expected.sha256().substring(0, 12) + " but has " + identity.size() + " bytes and hash "
                            + identity.sha256().substring(0, 12)
                            + ". The container was changed or replaced; if that was intended, make a new Index with: stoker index"
                            + " --force " + container);
        }
        return null;
    }

    /**
     * Whether a container was written after its Index was derived: it may hold something else between its head and tail,
     * by which alone an Index without checksums knows it. Not asked of remote storage, where times are those of the upload.
     */
    private static boolean isOlder(Path place, Path container) {
        if (place instanceof RemotePath || container instanceof RemotePath) {
            return false;
        }
        FileTime derived = written(place);
        FileTime written = written(container);
        return derived == null || written == null || derived.compareTo(written) < 0;
    }

    /** Lets the Index of a copy, whose files were written in any order, be as young as that of the original is, or as tied. */
    public static void dateCopy(Path container, Path copy) {
        Path place = beside(copy);
        if (!FileProbe.exists(place)) {
            return;
        }
        if (!(container instanceof RemotePath)) {
            try (Index index = Index.open(place)) {
                if (index.isPacked() || index.hasChecksums()) {
                    if (EditStamp.holds(index, beside(container), EditStamp.written(container))) {
                        EditStamp.make(index, place, EditStamp.written(copy));
                    }
                    return;
                }
            }
        }
        if (!isOlder(beside(container), container)) {
            dateFrom(FileTime.from(Instant.now()), place);
        }
    }

    /**
     * Lets whoever opens a container know that it is as its Index says. Where that fails it is found out by comparing.
     *
     * @param place where its Index is now
     */
    public static void tie(Path place, Path container) {
        try (Index index = Index.open(place)) {
            EditStamp.make(index, place, EditStamp.written(container));
        } catch (StokerException e) {
            // Whoever opens it will tell what is wrong, if anything.
        }
    }

    /**
     * An Index that was derived because somebody asked for it.
     *
     * @param place where it is kept
     * @param refusal why it is not beside its container; null if it is
     */
    public record Derived(Index index, Path place, @Nullable String refusal) implements AutoCloseable {
        @Override
        public void close() {
            index.close();
        }
    }

    /**
     * Looks the container through and keeps what was found, in place of what is there: beside the container or, where that
     * cannot be, in the user's cache. Fails if it can be kept in neither.
     */
    public static Derived derive(Format format, MappedFile file, ContainerIdentity identity, boolean checksums) {
        FileTime written = written(file.path());
        try (IndexBuilder builder = format.derive(file)) {
            builder.checked(() -> requireUnchanged(file));
            var bytes = checksums ? file.bytes() : null;
            String refusal = null;
            for (Path place : new Path[] {beside(file.path()), IndexCache.place(file.path())}) {
                try {
                    if (!(place instanceof RemotePath)) {
                        IndexBuilder.deleteLeftovers(place);
                    }
                    write(builder, place, true, format, bytes, identity, file.path());
                    return new Derived(opened(place, checksums, written), place, refusal);
                } catch (IOException e) {
                    refusal = refusal == null ? FileErrors.cannotWrite(place, e).getMessage() : refusal;
                } catch (StokerException e) {
                    requireUnchanged(file);
                    refusal = refusal == null ? e.getMessage() : refusal;
                }
            }
            throw new StokerException(refusal + "; nor can the Index be kept in [" + IndexCache.folder() + "]");
        } catch (InternalError e) {
            throw FileErrors.unreadable(file.path(), e);
        }
    }

    /** Opens an Index that was just written. */
    private static Index opened(Path place, boolean checksums, @Nullable FileTime written) {
        dateFrom(written, place);
        Index kept = Index.open(place);
        if (checksums && written != null) {
            EditStamp.make(kept, place, written.to(TimeUnit.NANOSECONDS));
        }
        return kept;
    }

    /**
     * Looks the container through and keeps what was found at the first place where that is possible.
     *
     * @return null if there is an Index now that may not be replaced
     */
    private static @Nullable Index derive(
            Format format, MappedFile file, ContainerIdentity identity, List<Path> places) {
        FileTime written = written(file.path());
        try (IndexBuilder builder = format.derive(file)) {
            builder.checked(() -> requireUnchanged(file));
            for (Path place : places) {
                switch (keep(builder, place, format, identity, file.path())) {
                    case KEPT -> {
                        return opened(place, false, written);
                    }
                    case TAKEN -> {
                        return null;
                    }
                    case NOT_WRITABLE -> {
                        // the next place, or memory
                    }
                }
            }
            return inMemory(builder, format, file, identity);
        } catch (InternalError e) {
            throw FileErrors.unreadable(file.path(), e);
        }
    }

    private static Index inMemory(Format format, MappedFile file, ContainerIdentity identity) {
        try (IndexBuilder builder = format.derive(file)) {
            return inMemory(builder, format, file, identity);
        } catch (InternalError e) {
            throw FileErrors.unreadable(file.path(), e);
        }
    }

    private static Index inMemory(IndexBuilder builder, Format format, MappedFile file, ContainerIdentity identity) {
        Index index = builder.toMemory(file.name(), format.name(), null, identity);
        requireUnchanged(file);
        return index;
    }

    /** Places that were found while a container was written may be those of no version of it. */
    private static void requireUnchanged(MappedFile file) {
        FileStamp seen = file.seen();
        if (seen != null) {
            seen.requireUnchanged("indexed");
        }
    }

    /** When a container was written; null where that is not asked. */
    private static @Nullable FileTime written(Path container) {
        try {
            return container instanceof RemotePath ? null : Files.getLastModifiedTime(container);
        } catch (IOException e) {
            return null;
        }
    }

    /** Containers from a clock that runs ahead would be younger than their Index for long: it is as young as they are then. */
    private static void dateFrom(@Nullable FileTime written, Path place) {
        try {
            if (written != null && Files.getLastModifiedTime(place).compareTo(written) < 0) {
                Files.setLastModifiedTime(place, written);
            }
        } catch (IOException e) {
            // It is made anew the next time, as if there were none.
        }
    }

    private enum Kept {
        KEPT,
        TAKEN,
        NOT_WRITABLE
    }

    /** Tries to write the Index; whether a folder can be written is only known by trying. */
    private static Kept keep(IndexBuilder builder, Path place, Format format, ContainerIdentity identity, Path file) {
        try {
            return write(builder, place, isReplaceable(place), format, null, identity, file) ? Kept.KEPT : Kept.TAKEN;
        } catch (IOException | StokerException e) {
            return Kept.NOT_WRITABLE;
        }
    }

    /** Writes the Index; false if there is one that may not be replaced. */
    private static boolean write(
            IndexBuilder builder,
            Path place,
            boolean replaces,
            Format format,
            @Nullable MemorySegment bytes,
            ContainerIdentity identity,
            Path file)
            throws IOException {
        if (place instanceof RemotePath remote) {
            Path local = Files.createTempFile(ScratchFile.folder(), "stoker-", ENDING);
            try {
                builder.toFile(local, true, format.name(), bytes, identity, null);
                remote.put(local, sent -> {});
            } finally {
                Files.delete(local);
            }
            return true;
        }
        boolean isInCache = IndexCache.holds(place);
        if (isInCache) {
            IndexCache.make();
        }
        return builder.toFile(place, replaces, format.name(), bytes, identity, isInCache ? null : file);
    }
}

package dev.stoker.container;

import dev.stoker.StokerException;
import dev.stoker.index.Index;
import dev.stoker.index.Placement;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileOwnership;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Refuses a container that was edited after its Index was made, so that nobody gets what it held before. Where the two are
 * {@linkplain EditStamp tied}, times tell. Otherwise, as after copying a pair without its times, the container is looked through
 * and compared with its Index, once: then they are tied, or, where this user may not do that, it is noted in the cache.
 */
final class EditDetector {
    private EditDetector() {}

    /** Closes a container that it refuses. */
    static Container require(Container container) {
        try {
            Index index = container.index();
            Path place = index.path();
            if (place != null && hasCopies(container)) {
                require(container, index, place);
            }
            return container;
        } catch (RuntimeException e) {
            container.close();
            throw e;
        }
    }

    /** What was derived and has no checksums is made anew instead, and in a folder of samples nothing but the files is read. */
    static boolean hasCopies(Container container) {
        Index index = container.index();
        if (index.isContainer() || container.isRemote() || !(index.isPacked() || index.hasChecksums())) {
            return false;
        }
        for (int f = 0; f < container.schema().size(); f++) {
            if (index.placement(f).place() == Placement.Place.TREE) {
                return false;
            }
        }
        return true;
    }

    private static void require(Container container, Index index, Path place) {
        long written = EditStamp.written(container.path());
        if (EditStamp.holds(index, place, written) || isNoted(container, place, written)) {
            return;
        }
        compare(container);
        if (EditStamp.written(container.path()) == written && !EditStamp.make(index, place, written)) {
            note(container, place, written);
        }
    }

    /** Refuses a container that says something else than its Index. */
    static void compare(Container container) {
        try (Container again = Container.openAnew(container.path(), container.format())) {
            new IndexComparison(container, again).compare((sample, field, reason) -> {
                throw new StokerException(
                        (sample < 0 ? "" : container.describe(sample) + ", field '" + field + "': ") + reason);
            });
        } catch (StokerException e) {
            throw new StokerException(
                    container.path(),
                    "does not agree with its Index "
                            + Sidecar.beside(container.path()).getFileName() + ": " + e.getMessage()
                            + ". It was edited after it was packed, or one of the two is damaged (stoker verify lists all"
                            + " that differs). If the edit was intended, " + renewal(container.path())
                            + "; if not, copy or pack it again",
                    e);
        } catch (InternalError e) {
            throw FileErrors.unreadable(container.path(), e);
        }
    }

    private static String renewal(Path container) {
        return FileProbe.isFolder(container)
                ? "delete [" + Sidecar.beside(container) + "]"
                : "make a new Index with: stoker index --force " + container;
    }

    private static String told(Container container, Path place, long written) throws IOException {
        return written + " " + EditStamp.written(place) + " " + Files.size(place) + " "
                + container.index().identity().sha256() + "\n";
    }

    private static boolean isNoted(Container container, Path place, long written) {
        Path note = IndexCache.note(container.path());
        try {
            return FileProbe.exists(note)
                    && FileOwnership.mayDescribeAnywhere(note, container.path())
                    && Files.readString(note).equals(told(container, place, written));
        } catch (IOException e) {
            return false;
        }
    }

    private static void note(Container container, Path place, long written) {
        Path note = IndexCache.note(container.path());
        try {
            IndexCache.make();
            Path made = Files.createTempFile(note.getParent(), ".stoker-", ".tmp");
            try {
                Files.writeString(made, told(container, place, written), StandardCharsets.UTF_8);
                Files.move(made, note, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(made);
            }
        } catch (IOException e) {
            // It is compared again the next time.
        }
    }
}

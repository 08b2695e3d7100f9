package dev.stoker.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What lies below a folder, wherever links lead: who made a container that is a folder may have put links into it, to
 * files that only the reader's user can read. The folder itself may be reached by links.
 */
public final class FolderBoundary {
    private final Path folder;
    private volatile @Nullable Path real;
    /** The folder that was asked about last, which lies inside: most files have the same as the one before. */
    private volatile @Nullable Path known;

    public FolderBoundary(Path folder) {
        this.folder = folder;
    }

    public Path folder() {
        return folder;
    }

    /** Whether what a path below the folder leads to lies below it as well, or is not there at all. */
    public boolean holds(Path path) {
        try {
            Path parent = path.getParent();
            if (parent != null && !parent.equals(known)) {
                if (!isBelow(parent)) {
                    return false;
                }
                known = parent;
            }
            return !Files.isSymbolicLink(path) || isBelow(path);
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    private boolean isBelow(Path path) throws IOException {
        Path top = real;
        if (top == null) {
            top = folder.toRealPath();
            real = top;
        }
        return path.toRealPath().startsWith(top);
    }
}

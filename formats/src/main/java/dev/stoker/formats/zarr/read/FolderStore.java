package dev.stoker.formats.zarr.read;

import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.FolderBoundary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The files of a folder. */
public final class FolderStore extends ZarrStore {
    /** Names that a folder may have before it is taken for something else than groups and arrays. */
    private static final int MAX_CHILDREN = 100_000;

    private final Path folder;
    private final FolderBoundary enclosure;
    private long storedBytes;

    public FolderStore(Path folder) {
        super(String.valueOf(folder.getFileName()));
        this.folder = folder;
        this.enclosure = new FolderBoundary(folder);
    }

    /** A key that would leave the folder is no file of it. */
    private @Nullable Path resolve(String key) {
        try {
            Path path = folder.resolve(key).normalize();
            return path.startsWith(folder.normalize()) && key.indexOf('\0') < 0 ? path : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private void requireInside(Path path, String key) {
        if (!key.isEmpty() && !enclosure.holds(path)) {
            throw corrupt(
                    -1, "'" + key + "' should lie in it, but a link leads out of it; put the files themselves there");
        }
    }

    @Override
    @Nullable
    Blob find(String key) {
        Path path = resolve(key);
        if (path == null || !FileProbe.isFile(path)) {
            return null;
        }
        requireInside(path, key);
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            storedBytes += channel.size();
            return new Blob(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto()), key, 0);
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    @Override
    @Nullable
    MemorySegment metadata(String key) {
        Blob blob = find(key);
        if (blob == null) {
            return null;
        }
        DecodedLimit.requireDocument(this, key, blob.bytes().byteSize());
        return blob.bytes();
    }

    @Override
    SortedSet<String> children(String below) {
        var names = new TreeSet<String>();
        Path path = resolve(below);
        if (path == null || !FileProbe.isFolder(path)) {
            return names;
        }
        requireInside(path, below);
        FileProbe.in(path).stream()
                .limit(MAX_CHILDREN)
                .forEach(child -> names.add(String.valueOf(child.getFileName())));
        return names;
    }

    @Override
    public boolean isFolder() {
        return true;
    }

    @Override
    public long storedBytes() {
        return storedBytes;
    }
}

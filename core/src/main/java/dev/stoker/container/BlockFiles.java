package dev.stoker.container;

import dev.stoker.CorruptContainerException;
import dev.stoker.block.BlockReader;
import dev.stoker.block.RemoteByteReader;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FolderBoundary;
import dev.stoker.os.RegularFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The files that a container's blocks are stored in: the container itself, or files below its folder. */
final class BlockFiles implements BlockReader.Files {
    /** As many files stay mapped; a process has 65,530 mappings by default. */
    private static final int MOST_KEPT = 4096;

    private final Path path;
    private final FolderBoundary folder;
    private final MemorySegment container;
    private final @Nullable RemoteByteReader remote;
    private final List<String> names;
    /** The files that were mapped by now; null where there are too many to keep. */
    private final @Nullable AtomicReferenceArray<@Nullable MemorySegment> kept;

    /**
     * Files of one container.
     *
     * @param container the container's own bytes
     * @param remote where those are instead, if they are not on this machine
     * @param names the files below the folder, by their paths from there
     */
    BlockFiles(Path path, MemorySegment container, @Nullable RemoteByteReader remote, List<String> names) {
        this.path = path;
        this.folder = new FolderBoundary(path);
        this.container = container;
        this.remote = remote;
        this.names = names;
        this.kept = names.size() <= MOST_KEPT ? new AtomicReferenceArray<>(names.size()) : null;
    }

    @Override
    public MemorySegment bytes(int file) {
        if (file == 0) {
            return container;
        }
        if (kept == null) {
            return map(file);
        }
        MemorySegment known = kept.get(file - 1);
        if (known != null) {
            return known;
        }
        MemorySegment mapped = map(file);
        // Whoever was first: a value has one address.
        MemorySegment first = kept.compareAndExchange(file - 1, null, mapped);
        return first == null ? mapped : first;
    }

    @Override
    public long size() {
        return remote == null ? container.byteSize() : remote.size();
    }

    @Override
    public MemorySegment stored(int file, long offset, long length) {
        if (remote == null || file > 0) {
            return BlockReader.Files.super.stored(file, offset, length);
        }
        BlockReader.requireInside(remote.name(), remote.size(), offset, length);
        return remote.read(offset, length);
    }

    private MemorySegment map(int file) {
        Path member = stored(folder, names.get(file - 1));
        try (var channel = RegularFile.open(member)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
        } catch (IOException e) {
            throw FileErrors.cannotRead(member, e);
        }
    }

    @Override
    public String name(int file) {
        return file == 0 ? path.toString() : path.resolve(names.get(file - 1)).toString();
    }

    /** A file that holds blocks; one that a link puts outside the folder is refused. */
    static Path stored(FolderBoundary folder, String name) {
        Path member = member(folder.folder(), name);
        if (folder.holds(member)) {
            return member;
        }
        throw new CorruptContainerException(
                folder.folder().toString(),
                CorruptContainerException.NOWHERE,
                "the file '" + name + "' should lie in it, but a link leads out of it; put the file itself there");
    }

    /** A file below a folder; a name that leaves it is refused. */
    static Path member(Path folder, String name) {
        try {
            Path member = folder.resolve(name).normalize();
            if (member.startsWith(folder.normalize())) {
                return member;
            }
        } catch (InvalidPathException e) {
            // Refused below, as one that leaves the folder is.
        }
        throw new CorruptContainerException(
                folder.toString(),
                CorruptContainerException.NOWHERE,
                "there can be no file in it of this name: " + name);
    }
}

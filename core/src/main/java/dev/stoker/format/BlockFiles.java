package dev.stoker.format;

import dev.stoker.CorruptContainerException;
import dev.stoker.block.BlockReader;
import dev.stoker.memory.MappedFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The files that a container's blocks are stored in: the container itself, or files below its folder.
 *
 * @param container the container's own bytes
 * @param names the files below the folder, by their paths from there
 */
record BlockFiles(Path path, MemorySegment container, List<String> names) implements BlockReader.Files {
    @Override
    public MemorySegment bytes(int file) {
        if (file == 0) {
            return container;
        }
        Path member = member(path, names.get(file - 1));
        try (var channel = FileChannel.open(member, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
        } catch (IOException e) {
            throw MappedFile.cannotRead(member, e);
        }
    }

    @Override
    public String name(int file) {
        return file == 0 ? path.toString() : path.resolve(names.get(file - 1)).toString();
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

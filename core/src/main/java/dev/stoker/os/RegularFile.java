package dev.stoker.os;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Opens files for reading. Whatever else has a file's name is refused: a pipe would be waited for, for ever. */
public final class RegularFile {
    private RegularFile() {}

    public static FileChannel open(Path path) throws IOException {
        require(path);
        return FileChannel.open(path, StandardOpenOption.READ);
    }

    static void require(Path path) throws IOException {
        BasicFileAttributes found;
        try {
            found = Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return; // Opening it will tell, or make it.
        }
        if (!found.isRegularFile()) {
            throw new IOException(found.isDirectory() ? "it is a folder" : "it is neither a file nor a folder");
        }
    }
}

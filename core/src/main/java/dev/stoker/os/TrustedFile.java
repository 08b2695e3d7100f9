package dev.stoker.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Opens files that the user named, to write into them. What somebody else may have put there, in a folder that everybody
 * may write to, is refused, see {@link FileOwnership}; elsewhere links lead where they lead.
 */
public final class TrustedFile {
    private TrustedFile() {}

    /** Opens a file, which is made if need be. */
    public static FileChannel open(Path path, OpenOption... options) throws IOException {
        try {
            return FileChannel.open(path, with(options, StandardOpenOption.CREATE_NEW));
        } catch (FileAlreadyExistsException e) {
            return FileOwnership.isPublic(path)
                    ? openExisting(path, options)
                    : FileChannel.open(path, with(options, StandardOpenOption.CREATE));
        }
    }

    /** Opens a file that must be there; a link, or what somebody else may have put there, is refused. */
    public static FileChannel openExisting(Path path, OpenOption... options) throws IOException {
        // Before it is opened, since a pipe would be waited for, and after, since it may be another one by then.
        FileOwnership.require(path);
        FileChannel opened = FileChannel.open(path, with(options, LinkOption.NOFOLLOW_LINKS));
        try {
            FileOwnership.require(path);
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private static Set<OpenOption> with(OpenOption[] options, OpenOption more) {
        var all = new ArrayList<>(List.of(options));
        all.add(more);
        return Set.copyOf(all);
    }

    /** Writes a file anew. */
    public static void write(Path path, byte[] bytes) throws IOException {
        try (FileChannel file = open(path, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            var left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                file.write(left);
            }
        }
    }
}

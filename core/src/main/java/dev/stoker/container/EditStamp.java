package dev.stoker.container;

import dev.stoker.index.Index;
import dev.stoker.io.LittleEndian;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/**
 * What shows that a container was not edited since its Index was made or compared with it. Size, head and tail, by which
 * an Index knows its container, stay as they are when a number in the middle is changed in place, and the Index goes on
 * holding the old one.
 *
 * <p>The Index is tied to its container by their times of modification: its own is earlier by a number of seconds that
 * follows from its bytes. So nothing in either file tells a time, whoever copies a pair with its times, even if only whole
 * seconds are kept, copies the tie, and neither an edit nor times that were set otherwise look like one.
 */
final class EditStamp {
    private static final int HEADER_CHECKSUM = 124;
    private static final int SECONDS = 3600;

    private EditStamp() {}

    /** When a container was written: of a folder, the newest of its files. In nanoseconds since 1970. */
    static long written(Path container) {
        try {
            if (!FileProbe.isFolder(container)) {
                return nanos(Files.getLastModifiedTime(container));
            }
            var newest = new Newest();
            Files.walkFileTree(container, newest);
            return newest.nanos;
        } catch (IOException e) {
            throw FileErrors.cannotRead(container, e);
        }
    }

    private static final class Newest extends SimpleFileVisitor<Path> {
        private long nanos = Long.MIN_VALUE;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes found) {
            nanos = Math.max(nanos, EditStamp.nanos(found.lastModifiedTime()));
            return FileVisitResult.CONTINUE;
        }
    }

    private static long nanos(FileTime time) {
        return time.to(TimeUnit.NANOSECONDS);
    }

    /** The time that an Index has where it is tied to a container that was written at a time. */
    private static long tied(Index index, long written) {
        long checksum = Integer.toUnsignedLong(index.bytes().get(LittleEndian.U32, HEADER_CHECKSUM));
        return written - TimeUnit.SECONDS.toNanos(1 + checksum % SECONDS);
    }

    static boolean holds(Index index, Path place, long written) {
        try {
            return nanos(Files.getLastModifiedTime(place)) == tied(index, written);
        } catch (IOException e) {
            throw FileErrors.cannotRead(place, e);
        }
    }

    /** Ties them; false where this user may not. */
    static boolean make(Index index, Path place, long written) {
        try {
            Files.setLastModifiedTime(place, FileTime.from(tied(index, written), TimeUnit.NANOSECONDS));
            return holds(index, place, written);
        } catch (IOException e) {
            return false;
        }
    }
}

package dev.stoker.os;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stoker.StokerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What is left on a filesystem for this user.
 *
 * @param freeFiles how many files and folders can be made; {@link Long#MAX_VALUE} where the filesystem has no limit
 * @param blockBytes in what steps a file takes room
 */
public record FilesystemSpace(long freeBytes, long freeFiles, long blockBytes) {
    private static final MemorySegment STATVFS = SystemCall.symbol("statvfs");
    private static final int STATVFS_BYTES = 256;

    /** Of the filesystem that holds a path. */
    public static FilesystemSpace of(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path.toString(), StandardCharsets.UTF_8);
            MemorySegment stat = arena.allocate(STATVFS_BYTES, 8);
            SystemCall.checked(STATVFS, name.address(), stat.address(), 0, 0, 0);
            // struct statvfs begins: bsize, frsize, blocks, bfree, bavail, files, ffree, favail.
            long fragment = stat.get(JAVA_LONG, 8);
            long files = stat.get(JAVA_LONG, 40);
            return new FilesystemSpace(
                    bytes(stat.get(JAVA_LONG, 32), fragment),
                    files == 0 ? Long.MAX_VALUE : stat.get(JAVA_LONG, 56),
                    fragment);
        } catch (IOException e) {
            throw new StokerException(path, "its filesystem can't be queried: " + e.getMessage(), e);
        }
    }

    /** How much room a file, or all that is in a folder, takes already. */
    public static long takenBytes(Path path) throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            long sum = 0;
            for (Path each : (Iterable<Path>) all::iterator) {
                sum += Posix.allocatedBytes(each);
            }
            return sum;
        } catch (UncheckedIOException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    /** Some filesystems have no limit and say so by a number of blocks that is beyond any. */
    static long bytes(long blocks, long fragment) {
        boolean isBeyond = blocks < 0 || Math.multiplyHigh(blocks, fragment) != 0 || blocks * fragment < 0;
        return isBeyond ? Long.MAX_VALUE : blocks * fragment;
    }
}

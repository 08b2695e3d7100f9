package dev.stoker.block;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.io.Checksum;
import dev.stoker.io.OutputNames;
import dev.stoker.os.FileProbe;
import dev.stoker.text.Sizes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of remote objects on a disk of this node, for all processes of one user: a file for each, its bytes and their
 * CRC32C. Named by {@value #VARIABLE} as {@code DIR:SIZE}. Those that were not used for the longest time go first; the
 * size is looked after each time that a sixteenth of it was written, so it may be passed by that.
 *
 * <p>It is a cache: what cannot be written, was deleted by another process, or is damaged, is fetched again.
 */
final class DiskCache {
    static final String VARIABLE = "STOKER_CACHE";

    private static final int SHARES = 16;
    private static final Set<PosixFilePermission> OWNER_ALONE = PosixFilePermissions.fromString("rwx------");

    private final Path folder;
    private final long limit;
    /** Written since the size was last looked after. At first as much as makes the first block do so. */
    private final AtomicLong written;

    DiskCache(Path folder, long limit) {
        this.folder = folder;
        this.limit = limit;
        this.written = new AtomicLong(limit);
    }

    /** The one that a setting names; null if it is empty. */
    static @Nullable DiskCache of(@Nullable String setting) {
        if (setting == null || setting.isEmpty()) {
            return null;
        }
        int colon = setting.lastIndexOf(':');
        if (colon <= 0) {
            throw new UsageException(
                    VARIABLE + " should be DIR:SIZE, such as /local/cache:100G, but is '" + setting + "'");
        }
        var cache = new DiskCache(
                Path.of(setting.substring(0, colon)), Sizes.parse(VARIABLE, setting.substring(colon + 1)));
        cache.prepare();
        return cache;
    }

    /** Whoever else could write there could give this user any data. */
    private void prepare() {
        try {
            if (!FileProbe.isFolder(folder)) {
                Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ALONE));
            }
            boolean isMine = Objects.equals(
                    Files.getAttribute(folder, "unix:uid"), Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
            if (!isMine || !Files.getPosixFilePermissions(folder).equals(OWNER_ALONE)) {
                throw new StokerException(
                        folder, "cannot be the cache (" + VARIABLE + "): it should belong to you and have mode 700");
            }
        } catch (IOException e) {
            throw new StokerException(folder, "cannot be the cache (" + VARIABLE + "): " + e.getMessage(), e);
        }
    }

    /** A block's file. */
    private Path file(String object, long block) {
        UUID name = UUID.nameUUIDFromBytes((object + " " + block).getBytes(StandardCharsets.UTF_8));
        return folder.resolve(name + ".block");
    }

    /**
     * A block that is there.
     *
     * @param object address and version
     */
    @Nullable
    MemorySegment find(String object, long block, long length) {
        Path file = file(object, block);
        try {
            byte[] bytes = Files.readAllBytes(file);
            MemorySegment all = MemorySegment.ofArray(bytes);
            if (bytes.length == length + Integer.BYTES) {
                MemorySegment found = all.asSlice(0, length);
                if (Checksum.of(found) == ByteBuffer.wrap(bytes).getInt((int) length)) {
                    Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
                    return found;
                }
            }
        } catch (IOException e) {
            // It is not there, or was just deleted.
        }
        return null;
    }

    void keep(String object, long block, MemorySegment bytes) {
        Path file = file(object, block);
        Path partial = file.resolveSibling(UUID.randomUUID() + OutputNames.PARTIAL);
        ByteBuffer both = ByteBuffer.allocate(Math.toIntExact(bytes.byteSize()) + Integer.BYTES);
        both.put(bytes.asByteBuffer()).putInt(Checksum.of(bytes));
        try {
            Files.write(partial, both.array());
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            delete(partial); // the disk is full, most likely
        }
        if (written.addAndGet(both.capacity()) > limit / SHARES) {
            written.set(0);
            shrink();
        }
    }

    private record Kept(Path file, long bytes, FileTime used) {}

    private synchronized void shrink() {
        var all = new ArrayList<Kept>();
        long sum = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*{.block," + OutputNames.PARTIAL + "}")) {
            for (Path file : files) {
                try {
                    var kept = new Kept(file, Files.size(file), Files.getLastModifiedTime(file));
                    all.add(kept);
                    sum += kept.bytes;
                } catch (IOException e) {
                    // Another process has just deleted it.
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return;
        }
        all.sort(Comparator.comparing(Kept::used));
        for (Kept oldest : all) {
            if (sum <= limit - limit / SHARES) {
                return;
            }
            delete(oldest.file);
            sum -= oldest.bytes;
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // It is tried again the next time.
        }
    }
}

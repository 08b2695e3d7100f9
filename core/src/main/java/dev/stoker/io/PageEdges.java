package dev.stoker.io;

import dev.stoker.StokerException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * What one of several processes wrote into pages that it shares with others, see {@link WholePageFile}: kept in a file
 * of its own, from which one process alone writes it to its places when all have filled theirs.
 *
 * <p>The file: for each piece u32 bytes of the path, u32 bytes of the piece, u64 offset, the path from the common
 * folder, the piece; at the end u32 {@link #END} and u32 the CRC32C of all before it.
 */
public final class PageEdges implements AutoCloseable {
    private static final int HEAD = 16;
    /** Stands where a path's length does. */
    private static final int END = -1;

    private static final int MOST_PATH_BYTES = 1 << 16;

    private final OutputFile file;
    private final Path folder;
    private final Checksum checksum = new Checksum();
    private long end;

    private PageEdges(OutputFile file, Path folder) {
        this.file = file;
        this.folder = folder;
    }

    /**
     * Makes the file.
     *
     * @param path a name that nobody used before, so that no node remembers it
     * @param folder what the files that are written are in, wherever a node has mounted it
     */
    public static PageEdges make(Path path, Path folder) {
        return new PageEdges(OutputFile.open(path), folder);
    }

    /** Opens a file that several processes fill. */
    public OutputFile open(Path path, long length) {
        return new WholePageFile(OutputFile.openExisting(path), length, this);
    }

    synchronized void add(Path path, long offset, MemorySegment bytes) {
        byte[] name = folder.relativize(path).toString().getBytes(StandardCharsets.UTF_8);
        MemorySegment head = MemorySegment.ofArray(new byte[HEAD + name.length]);
        head.set(LittleEndian.U32, 0, name.length);
        head.set(LittleEndian.U32, 4, (int) bytes.byteSize());
        head.set(LittleEndian.U64, 8, offset);
        MemorySegment.copy(MemorySegment.ofArray(name), 0, head, HEAD, name.length);
        append(head);
        append(bytes);
    }

    private void append(MemorySegment bytes) {
        file.write(end, bytes);
        checksum.add(bytes);
        end += bytes.byteSize();
    }

    /** Ends the file; returns its name. The disk need not have it: if a node fails, the job does, and all is filled again. */
    public synchronized String seal() {
        MemorySegment tail = MemorySegment.ofArray(new byte[8]);
        tail.set(LittleEndian.U32, 0, END);
        append(tail.asSlice(0, 4));
        tail.set(LittleEndian.U32, 4, checksum.value());
        append(tail.asSlice(4));
        return String.valueOf(file.path().getFileName());
    }

    @Override
    public void close() {
        file.close();
    }

    /**
     * Writes what a process left to its places.
     *
     * @param isAllowed which files may be written
     */
    public static void apply(Path path, Path folder, Predicate<Path> isAllowed) {
        try (OutputFile edges = OutputFile.openExisting(path)) {
            long end = edges.size() - 4;
            MemorySegment sum = MemorySegment.ofArray(new byte[4]);
            if (end < 4 || !edges.read(end, sum) || sum.get(LittleEndian.U32, 0) != edges.checksum(0, end)) {
                throw damaged(path, "is not what a process wrote");
            }
            new Applying(edges, folder, isAllowed).run();
        }
    }

    private static StokerException damaged(Path path, String what) {
        return new StokerException(
                path,
                what + "; it holds the bytes of pages that two processes share. Run the same command with --resume");
    }

    /** One pass over the pieces; those of one file follow each other. */
    private static final class Applying {
        private final OutputFile edges;
        private final Path folder;
        private final Predicate<Path> isAllowed;

        Applying(OutputFile edges, Path folder, Predicate<Path> isAllowed) {
            this.edges = edges;
            this.folder = folder;
            this.isAllowed = isAllowed;
        }

        void run() {
            for (long at = 0; !isEnd(at); ) {
                at = applyFile(at);
            }
        }

        /** Applies the pieces of the file that the piece at a place is of; returns where those of another begin. */
        private long applyFile(long first) {
            Path target = target(first);
            try (OutputFile to = OutputFile.openExisting(target)) {
                long at = first;
                do {
                    at = applyPiece(at, to);
                } while (!isEnd(at) && target(at).equals(target));
                return at;
            }
        }

        private boolean isEnd(long at) {
            return read(at, 4).get(LittleEndian.U32, 0) == END;
        }

        private Path target(long at) {
            int length = read(at, 4).get(LittleEndian.U32, 0);
            if (length < 1 || length > MOST_PATH_BYTES) {
                throw damaged(edges.path(), "names a file by " + length + " bytes");
            }
            var name = new String(read(at + HEAD, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
            Path target = folder.resolve(name).normalize();
            if (!isAllowed.test(target)) {
                throw damaged(edges.path(), "names the file '" + name + "', which is none of this output's");
            }
            return target;
        }

        private long applyPiece(long at, OutputFile to) {
            MemorySegment head = read(at, HEAD);
            int name = head.get(LittleEndian.U32, 0);
            int length = head.get(LittleEndian.U32, 4);
            if (length < 1 || length > WholePageFile.PAGE) {
                throw damaged(edges.path(), "has a piece of " + length + " bytes");
            }
            to.write(head.get(LittleEndian.U64, 8), read(at + HEAD + name, length));
            return at + HEAD + name + length;
        }

        private MemorySegment read(long at, int length) {
            MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
            edges.readFully(at, bytes);
            return bytes;
        }
    }
}

package dev.stoker.stage.copy;

import dev.stoker.os.FileErrors;
import dev.stoker.stage.node.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Which pieces are there, and their checksums: eight bytes for each, CRC32C and a mark. It is not trusted: who goes on
 * compares each piece that it names with its checksum.
 */
public final class CopyJournal implements AutoCloseable {
    private static final long MARK = 0x53544bL << 32;
    private static final long MARKED = -1L << 32;
    private static final long CHECKSUM = 0xffffffffL;

    private final Path path;
    private final FileChannel channel;

    private CopyJournal(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    public static CopyJournal open(Path path) {
        try {
            return new CopyJournal(path, PrivateFiles.open(path));
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }

    public void done(long piece, int checksum) {
        ByteBuffer entry = ByteBuffer.allocate(Long.BYTES).putLong(0, MARK | checksum & CHECKSUM);
        try {
            while (entry.hasRemaining()) {
                channel.write(entry, piece * Long.BYTES + entry.position());
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }

    /** Whether a piece was noted, with this checksum. */
    boolean has(long piece, int checksum) {
        return entry(piece) == (MARK | checksum & CHECKSUM);
    }

    /** Whether a piece was noted at all. */
    boolean has(long piece) {
        return (entry(piece) & MARKED) == MARK;
    }

    private long entry(long piece) {
        ByteBuffer entry = ByteBuffer.allocate(Long.BYTES);
        try {
            int read = channel.read(entry, piece * Long.BYTES);
            return read == Long.BYTES ? entry.getLong(0) : 0;
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }
}

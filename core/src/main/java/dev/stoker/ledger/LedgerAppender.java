package dev.stoker.ledger;

import dev.stoker.os.ExclusiveFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Appends records to a ledger. What was put since the last {@link #flush} is in the file as a whole after the next one; if
 * that fails, nothing of it is: a ledger must not say of half a batch that it was delivered.
 */
final class LedgerAppender implements Closeable {
    private final ExclusiveFile file;
    private final ByteBuffer buffer = LedgerFormat.buffer(128);
    /** The length of the file after the last flush, and before it. */
    private long flushed;

    private long flushedBefore;

    /**
     * Appends to a file, which belongs to this object from now on.
     *
     * @param length what of the file is whole; the rest is cut off
     */
    LedgerAppender(ExclusiveFile file, long length) throws IOException {
        this.file = file;
        this.flushed = length;
        this.flushedBefore = length;
        file.channel().truncate(length).position(length);
    }

    boolean isEmpty() {
        return flushed == 0;
    }

    void putFile() throws IOException {
        makeRoom();
        LedgerFormat.putFile(buffer);
    }

    void put(byte kind, int outcome, long a, long b, long c) throws IOException {
        makeRoom();
        LedgerFormat.put(buffer, kind, outcome, 0, a, b, c);
    }

    /** Puts as many TEXT records as the bytes need. */
    void putText(byte[] bytes) throws IOException {
        for (int from = 0; from < bytes.length; from += LedgerFormat.TEXT_BYTES) {
            makeRoom();
            int length = Math.min(LedgerFormat.TEXT_BYTES, bytes.length - from);
            LedgerFormat.put(buffer, LedgerFormat.TEXT, length, bytes, from, length);
        }
    }

    private void makeRoom() throws IOException {
        if (!buffer.hasRemaining()) {
            write();
        }
    }

    /** Hands everything that was put to the operating system. */
    void flush() throws IOException {
        write();
        flushedBefore = flushed;
        flushed = file.channel().position();
    }

    /** The same for what counts as put together with what follows it. */
    void write() throws IOException {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                var _ = file.channel().write(buffer);
            }
        } catch (IOException e) {
            shorten(flushed, e);
            throw e;
        } finally {
            buffer.clear();
        }
    }

    /** Takes back what the last flush wrote, and what was put before it since the flush before that. */
    void withdraw() throws IOException {
        buffer.clear();
        truncate(flushedBefore);
    }

    /** A full disk can still be given space back; where even that fails, the first failure is the one to tell. */
    private void shorten(long length, IOException failure) {
        try {
            truncate(length);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void truncate(long length) throws IOException {
        FileChannel channel = file.channel();
        channel.truncate(length).position(length);
        flushed = length;
        flushedBefore = length;
    }

    void sync() throws IOException {
        file.channel().force(true);
    }

    /** Closes the file; what was put after the last flush is not in it. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}

package dev.stoker.hadoop;

import dev.stoker.remote.RemoteException;
import dev.stoker.remote.RemotePath;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** A range of a file. Hadoop itself compares checksums, and goes on with another copy where one fails. */
final class HadoopReader implements RemotePath.Reader {
    private static final int BUFFER_BYTES = 128 << 10;

    private final Path path;
    private final FSDataInputStream stream;
    private final byte[] buffer;
    private long left;

    /** @param stream at the first byte of the range; closed with this */
    HadoopReader(Path path, FSDataInputStream stream, long length) {
        this.path = path;
        this.stream = stream;
        this.buffer = new byte[(int) Math.min(BUFFER_BYTES, length)];
        this.left = length;
    }

    @Override
    public void read(MemorySegment to) {
        if (to.byteSize() > left) {
            throw new IllegalArgumentException("only " + left + " bytes are left");
        }
        try {
            for (long done = 0; done < to.byteSize(); ) {
                int step = (int) Math.min(buffer.length, to.byteSize() - done);
                stream.readFully(buffer, 0, step);
                MemorySegment.copy(buffer, 0, to, ValueLayout.JAVA_BYTE, done, step);
                done += step;
                left -= step;
            }
        } catch (EOFException e) {
            throw new RemoteException(
                    "[" + path + "] ended " + left + " bytes early; it is damaged, or was changed while it was read",
                    e);
        } catch (IOException | RuntimeException e) {
            throw HadoopFiles.failed(path, e);
        }
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw HadoopFiles.failed(path, e);
        }
    }
}

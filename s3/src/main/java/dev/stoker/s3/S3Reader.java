package dev.stoker.s3;

import dev.stoker.remote.RemoteException;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A range of an object. Where the connection breaks, the next one goes on; the version is part of every request, so that
 * all bytes are of one object. One that is read whole is compared with its MD5, where its ETag is that.
 */
final class S3Reader implements RemotePath.Reader {
    private static final int BUFFER_BYTES = 128 << 10;
    private static final int PRECONDITION_FAILED = 412;
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final int PARTIAL = 206;
    private static final int NOT_FOUND = 404;

    private final S3Client client;
    private final Request base;
    private final RemoteObject object;
    private final Patience patience;
    private final long end;
    private final byte[] buffer;
    private final @Nullable MessageDigest md5;
    private long position;
    private @Nullable Answer answer;

    S3Reader(S3Client client, Request base, RemoteObject object, long from, long length) {
        this.client = client;
        this.base = base;
        this.object = object;
        this.patience = client.wire().patience(base);
        this.position = from;
        this.end = from + length;
        this.buffer = new byte[(int) Math.min(BUFFER_BYTES, length)];
        boolean isWhole = from == 0 && length == object.size();
        this.md5 = isWhole && ObjectCheck.isMd5(object.version()) ? Signer.digest("MD5") : null;
    }

    @Override
    public void read(MemorySegment to) {
        if (to.byteSize() > end - position) {
            throw new IllegalArgumentException("only " + (end - position) + " bytes are left");
        }
        for (long done = 0; done < to.byteSize(); ) {
            try {
                int most = (int) Math.min(buffer.length, to.byteSize() - done);
                int read = stream().read(buffer, 0, most);
                if (read < 0) {
                    throw new EOFException("it ended early");
                }
                MemorySegment.copy(buffer, 0, to, ValueLayout.JAVA_BYTE, done, read);
                if (md5 != null) {
                    md5.update(buffer, 0, read);
                }
                done += read;
                position += read;
                patience.progressed();
            } catch (IOException e) {
                drop();
                patience.failed(Refusal.reason(e));
            }
        }
        if (md5 != null && position == end && to.byteSize() > 0) {
            requireMd5(md5);
        }
    }

    private void requireMd5(MessageDigest digest) {
        String found = HexFormat.of().formatHex(digest.digest());
        if (!found.equals(object.version()) && ObjectCheck.hasMd5(client, base)) {
            throw new RemoteException("[" + base.address() + "] arrived with MD5 " + found + " but should have "
                    + object.version() + "; it was damaged on the way");
        }
    }

    private InputStream stream() throws IOException {
        Answer open = answer;
        while (open == null) {
            Request request = base.header("range", "bytes=" + position + "-" + (end - 1));
            if (!object.version().isEmpty()) {
                request = request.header("if-match", "\"" + object.version() + "\"");
            }
            Answer got = client.wire().send(request);
            ErrorText failure = got.failure();
            if (failure != null && failure.isPassing()) {
                got.close();
                patience.failed("it answered " + failure);
                continue;
            }
            requireSame(got);
            answer = got;
            open = got;
        }
        return open.body();
    }

    /** Refuses everything but the range that was asked for, of the object that was asked for. */
    private void requireSame(Answer got) {
        if (got.status() == PRECONDITION_FAILED || got.status() == RANGE_NOT_SATISFIABLE) {
            got.close();
            throw changed("another object has its name now");
        }
        if (got.status() == NOT_FOUND) {
            got.close();
            throw changed("it was deleted");
        }
        if (!got.isGood()) {
            got.close();
            throw client.refusal(base, got);
        }
        boolean isAll = got.status() != PARTIAL && position == 0 && end == object.size();
        String range = got.header("Content-Range");
        String version = S3Client.version(got.header("ETag"));
        if (!version.isEmpty() && !version.equals(object.version())) {
            got.connection().disconnect();
            throw changed("another object has its name now");
        }
        String expected = "bytes " + position + "-" + (end - 1) + "/" + object.size();
        if (!isAll && !range.equals(expected)) {
            got.connection().disconnect();
            throw new RemoteException(
                    "[" + base.address() + "] was asked for the range '" + expected + "' but answered with '" + range
                            + "' (status " + got.status() + "); this S3 does not serve ranges");
        }
    }

    private RemoteException changed(String how) {
        return new RemoteException(
                "[" + base.address() + "] changed while it was read: " + how + ". Start again when nobody writes it");
    }

    private void drop() {
        if (answer != null) {
            answer.connection().disconnect();
            answer = null;
        }
    }

    @Override
    public void close() {
        if (answer != null && position == end) {
            answer.close();
            answer = null;
        }
        drop();
    }
}

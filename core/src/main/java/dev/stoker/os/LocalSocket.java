package dev.stoker.os;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stream socket between processes of one node. Java's own can neither say who is at the other end nor pass an open
 * file, so this one is made of system calls. Used by one thread at a time.
 */
public final class LocalSocket implements AutoCloseable {
    /** Where a process finds the socket that it was started with. */
    public static final int STANDARD_INPUT = 0;

    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int SO_ACCEPTCONN = 30;
    private static final int SCM_RIGHTS = 1;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final short POLLIN = 1;
    private static final int CHUNK = 64 << 10;
    private static final int FIRST_BYTES = 1 << 20;

    private static final MemorySegment ACCEPT = SystemCall.symbol("accept4");
    private static final MemorySegment POLL = SystemCall.symbol("poll");
    private static final MemorySegment GETSOCKOPT = SystemCall.symbol("getsockopt");
    private static final MemorySegment RECV = SystemCall.symbol("recv");
    private static final MemorySegment SENDMSG = SystemCall.symbol("sendmsg");
    private static final MemorySegment GETUID = SystemCall.symbol("getuid");

    private final int socket;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment chunk = arena.allocate(CHUNK);
    private final MemorySegment message = arena.allocate(56, 8);
    private final MemorySegment part = arena.allocate(16, 8);
    private final MemorySegment control = arena.allocate(24, 8);
    private final MemorySegment small = arena.allocate(16, 8);

    private LocalSocket(int socket) {
        this.socket = socket;
    }

    /** A socket that this process inherited. */
    public static LocalSocket inherited(int number) {
        return new LocalSocket(number);
    }

    /** Whether it is a socket that others connect to. */
    public boolean isListening() {
        small.set(JAVA_INT, 0, 0);
        small.set(JAVA_INT, 12, 4);
        try {
            SystemCall.checked(GETSOCKOPT, socket, SOL_SOCKET, SO_ACCEPTCONN, small.address(), small.address() + 12);
            return small.get(JAVA_INT, 0) != 0;
        } catch (IOException e) {
            return false; // it is no socket at all
        }
    }

    /** Waits until somebody connects; false if nobody did in that time. */
    public boolean awaitConnection(int millis) throws IOException {
        small.set(JAVA_INT, 0, socket);
        small.set(JAVA_SHORT, 4, POLLIN);
        small.set(JAVA_SHORT, 6, (short) 0);
        return SystemCall.checked(POLL, small.address(), 1, millis, 0, 0) > 0;
    }

    /** The next connection to a listening socket; null if the other end has already given up. */
    public @Nullable LocalSocket accept() throws IOException {
        try {
            return new LocalSocket(SystemCall.checked(ACCEPT, socket, 0, 0, SOCK_CLOEXEC, 0));
        } catch (ErrnoException e) {
            if (e.isAborted()) {
                return null;
            }
            throw e;
        }
    }

    /** The user whose process connected. */
    public int peerUser() throws IOException {
        small.set(JAVA_INT, 12, 12);
        SystemCall.checked(GETSOCKOPT, socket, SOL_SOCKET, SO_PEERCRED, small.address(), small.address() + 12);
        return small.get(JAVA_INT, 4);
    }

    /** The user of this process. */
    public static int user() {
        try {
            return SystemCall.checked(GETUID, 0, 0, 0, 0, 0);
        } catch (IOException e) {
            throw new IllegalStateException(e); // it cannot fail
        }
    }

    /** Fills an array; returns false if the other end closed before its first byte. */
    public boolean receive(byte[] to) throws IOException {
        return receive(to, 0, to.length);
    }

    /** So many bytes, or null if the other end closed before the first. Memory is taken as they come, not on its word. */
    public byte @Nullable [] receive(int length) throws IOException {
        var bytes = new byte[Math.min(length, FIRST_BYTES)];
        for (int done = 0; done < length; done = bytes.length) {
            if (done > 0) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * done));
            }
            if (!receive(bytes, done, bytes.length)) {
                return null;
            }
        }
        return bytes;
    }

    private boolean receive(byte[] to, int from, int end) throws IOException {
        int done = from;
        while (done < end) {
            int n = SystemCall.checked(RECV, socket, chunk.address(), Math.min(CHUNK, end - done), 0, 0);
            if (n == 0) {
                if (done == 0) {
                    return false;
                }
                throw new EOFException("the other end closed in the middle of a message");
            }
            MemorySegment.copy(chunk, JAVA_BYTE, 0, to, done, n);
            done += n;
        }
        return true;
    }

    /** Sends bytes. */
    public void send(byte[] bytes) throws IOException {
        send(bytes, -1);
    }

    /** Sends bytes, and with the first of them an open file; it stays open here too. */
    public void send(byte[] bytes, int file) throws IOException {
        int done = 0;
        while (done < bytes.length) {
            int n = Math.min(CHUNK, bytes.length - done);
            MemorySegment.copy(bytes, done, chunk, JAVA_BYTE, 0, n);
            done += sendPart(n, done == 0 ? file : -1);
        }
    }

    private int sendPart(int length, int file) throws IOException {
        part.set(JAVA_LONG, 0, chunk.address());
        part.set(JAVA_LONG, 8, length);
        message.fill((byte) 0);
        message.set(JAVA_LONG, 16, part.address());
        message.set(JAVA_LONG, 24, 1);
        if (file >= 0) {
            control.set(JAVA_LONG, 0, 20);
            control.set(JAVA_INT, 8, SOL_SOCKET);
            control.set(JAVA_INT, 12, SCM_RIGHTS);
            control.set(JAVA_LONG, 16, file);
            message.set(JAVA_LONG, 32, control.address());
            message.set(JAVA_LONG, 40, control.byteSize());
        }
        return SystemCall.checked(SENDMSG, socket, message.address(), MSG_NOSIGNAL, 0, 0);
    }

    @Override
    public void close() {
        Posix.close(socket);
        arena.close();
    }
}

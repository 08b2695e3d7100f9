package dev.stoker.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stoker.StokerException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * An end of the kernel's channel to a filesystem that is served by this process: requests are read from it, answers
 * written to it. The answer's bytes are taken from where they lie, so a mapped file is never copied here.
 *
 * <p>One thread uses one end. Root mounts by itself; others ask {@code fusermount3}, which is installed with the right
 * to do so.
 */
public final class FuseDevice implements AutoCloseable {
    public static final Path PATH = Path.of("/dev/fuse");
    /** The longest that the kernel reads at once. */
    public static final int MAX_READ = 1 << 20;

    private static final int O_RDWR = 2;
    private static final int MS_RDONLY_NOSUID_NODEV = 1 | 2 | 4;
    private static final int MNT_DETACH = 2;
    /** {@code _IOR(229, 0, uint32_t)}: the new end serves the same mount as an old one. */
    private static final long FUSE_DEV_IOC_CLONE = 0x8004e500L;

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int ENOENT = 2;
    private static final int ENODEV = 19;

    private static final MemorySegment OPENAT = SystemCall.symbol("openat");
    private static final MemorySegment READ = SystemCall.symbol("read");
    private static final MemorySegment WRITEV = SystemCall.symbol("writev");
    private static final MemorySegment IOCTL = SystemCall.symbol("ioctl");
    private static final MemorySegment MOUNT = SystemCall.symbol("mount");
    private static final MemorySegment UMOUNT = SystemCall.symbol("umount2");
    private static final MemorySegment SOCKETPAIR = SystemCall.symbol("socketpair");
    private static final MemorySegment RECVMSG = SystemCall.symbol("recvmsg");
    private static final MemorySegment DUP2 = SystemCall.symbol("dup2");
    private static final MemorySegment GETGID = SystemCall.symbol("getgid");

    private static final int OUT_HEADER = 16;
    private static final int IOVEC = 16;

    private final int file;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment header = arena.allocate(OUT_HEADER, 8);
    private final MemorySegment parts = arena.allocate(2 * IOVEC, 8);

    private FuseDevice(int file) {
        this.file = file;
        parts.set(JAVA_LONG, 0, header.address());
        parts.set(JAVA_LONG, 8, OUT_HEADER);
    }

    /** Mounts a filesystem, to be read by this user alone; it waits for its first answer. */
    public static FuseDevice mount(Path point) {
        try {
            return new FuseDevice(LocalSocket.user() == 0 ? mountAsRoot(point) : mountAsUser(point));
        } catch (IOException e) {
            throw new StokerException(point, "cannot be mounted on: " + e.getMessage(), e);
        }
    }

    private static int open(Path device) throws IOException {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment path = scratch.allocateFrom(device.toString());
            return SystemCall.checked(OPENAT, Posix.HERE, path.address(), O_RDWR | Posix.O_CLOEXEC, 0, 0);
        } catch (IOException e) {
            throw new IOException(device + ": " + e.getMessage(), e);
        }
    }

    private static int mountAsRoot(Path point) throws IOException {
        int file = open(PATH);
        try (Arena scratch = Arena.ofConfined()) {
            String options = "fd=" + file + ",rootmode=40000,user_id=0,group_id="
                    + SystemCall.checked(GETGID, 0, 0, 0, 0, 0) + ",max_read=" + MAX_READ;
            SystemCall.checked(
                    MOUNT,
                    scratch.allocateFrom("stoker").address(),
                    scratch.allocateFrom(point.toString(), StandardCharsets.UTF_8)
                            .address(),
                    scratch.allocateFrom("fuse.stoker").address(),
                    MS_RDONLY_NOSUID_NODEV,
                    scratch.allocateFrom(options).address());
            return file;
        } catch (IOException e) {
            Posix.close(file);
            throw e;
        }
    }

    /**
     * Lets {@code fusermount3} mount, and takes the open device that it sends through a socket. That socket is its
     * standard input, the only way by which Java passes an open file to a child; this process reads nothing from there.
     */
    private static int mountAsUser(Path point) throws IOException {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment pair = scratch.allocate(8, 4);
            SystemCall.checked(SOCKETPAIR, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.address(), 0);
            int ours = pair.get(JAVA_INT, 0);
            int theirs = pair.get(JAVA_INT, 4);
            try {
                SystemCall.checked(DUP2, theirs, LocalSocket.STANDARD_INPUT, 0, 0, 0);
                Posix.close(theirs);
                String options = "ro,nosuid,nodev,fsname=stoker,subtype=stoker,max_read=" + MAX_READ;
                runHelper(List.of("fusermount3", "-o", options, "--", point.toString()));
                return receiveFile(ours, scratch);
            } finally {
                Posix.close(ours);
                int nothing = open(Path.of("/dev/null"));
                SystemCall.checked(DUP2, nothing, LocalSocket.STANDARD_INPUT, 0, 0, 0);
                Posix.close(nothing);
            }
        }
    }

    private static void runHelper(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("_FUSE_COMMFD", "0");
        builder.redirectErrorStream(true);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(said.isEmpty() ? "fusermount3 failed" : said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static int receiveFile(int socket, Arena scratch) throws IOException {
        MemorySegment bytes = scratch.allocate(8, 8);
        MemorySegment part = scratch.allocate(IOVEC, 8);
        part.set(JAVA_LONG, 0, bytes.address());
        part.set(JAVA_LONG, 8, 1);
        MemorySegment control = scratch.allocate(24, 8);
        MemorySegment message = scratch.allocate(56, 8);
        message.set(JAVA_LONG, 16, part.address());
        message.set(JAVA_LONG, 24, 1);
        message.set(JAVA_LONG, 32, control.address());
        message.set(JAVA_LONG, 40, control.byteSize());
        SystemCall.checked(RECVMSG, socket, message.address(), MSG_CMSG_CLOEXEC, 0, 0);
        if (message.get(JAVA_LONG, 40) < 20) {
            throw new IOException("fusermount3 sent no open device");
        }
        return control.get(JAVA_INT, 16);
    }

    /** A further end of the same mount, for a further thread. */
    public FuseDevice another() throws IOException {
        int more = open(PATH);
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment old = scratch.allocate(4, 4);
            old.set(JAVA_INT, 0, file);
            SystemCall.checked(IOCTL, more, FUSE_DEV_IOC_CLONE, old.address(), 0, 0);
            return new FuseDevice(more);
        } catch (IOException e) {
            Posix.close(more);
            throw e;
        }
    }

    /** Waits for a request; false once the filesystem is unmounted. */
    public boolean receive(MemorySegment to) throws IOException {
        while (true) {
            try {
                SystemCall.checked(READ, file, to.address(), to.byteSize(), 0, 0);
                return true;
            } catch (ErrnoException e) {
                if (e.errno() == ENODEV) {
                    return false;
                }
                if (e.errno() != ENOENT) { // that one was taken back before it was read
                    throw e;
                }
            }
        }
    }

    /** Answers with bytes. Returns false if these could not be read, as of a mapped file that became shorter. */
    public boolean answer(long request, MemorySegment bytes) {
        parts.set(JAVA_LONG, IOVEC, bytes.address());
        parts.set(JAVA_LONG, IOVEC + 8, bytes.byteSize());
        try {
            return send(request, 0, OUT_HEADER + bytes.byteSize(), bytes.byteSize() == 0 ? 1 : 2);
        } finally {
            Reference.reachabilityFence(bytes);
        }
    }

    /** Answers with an error number, or with 0 that something was done. */
    public void answer(long request, int errno) {
        send(request, errno, OUT_HEADER, 1);
    }

    private boolean send(long request, int errno, long length, int count) {
        header.set(JAVA_INT, 0, (int) length);
        header.set(JAVA_INT, 4, -errno);
        header.set(JAVA_LONG, 8, request);
        try {
            SystemCall.checked(WRITEV, file, parts.address(), count, 0, 0);
            return true;
        } catch (ErrnoException e) {
            // Whoever asked may be gone meanwhile, and so may be the mount.
            return e.errno() == ENOENT || e.errno() == ENODEV;
        } catch (IOException e) {
            return false;
        }
    }

    /** Takes a mount away, at once for whoever looks, and from those who have files open when they close them. */
    public static void unmount(Path point) throws IOException {
        if (LocalSocket.user() != 0) {
            runHelper(List.of("fusermount3", "-u", "-z", "--", point.toString()));
            return;
        }
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment path = scratch.allocateFrom(point.toString(), StandardCharsets.UTF_8);
            SystemCall.checked(UMOUNT, path.address(), MNT_DETACH, 0, 0, 0);
        }
    }

    @Override
    public void close() {
        Posix.close(file);
        arena.close();
    }
}

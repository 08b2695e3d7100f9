package dev.stoker.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The system calls that Java has no fast or no complete way to: names as raw bytes (any alphabet, whatever the locale),
 * opening below a folder, and reading straight into native memory.
 *
 * <p>Each thread has its own scratch memory, so no call allocates.
 */
public final class Posix {
    public static final int O_RDONLY = 0;
    public static final int O_CLOEXEC = 0x80000;
    /** {@code AT_FDCWD}: a path is relative to the working folder. */
    public static final int HERE = -100;

    /** The one flag here that differs between processors. */
    private static final int O_DIRECT = System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;

    static final int ENOENT = 2;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int ENAMETOOLONG = 36;
    private static final int ENOLCK = 37;
    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;
    private static final int ENOMEM = 12;
    private static final int ENOTDIR = 20;
    private static final int EINVAL = 22;
    private static final int ENFILE = 23;
    private static final int EMFILE = 24;
    private static final int ECONNABORTED = 103;
    private static final int ENOBUFS = 105;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC = 0x7ff;
    private static final int STATX_BYTES = 256;
    /** {@code POSIX_FADV_DONTNEED}. */
    private static final int DONT_NEED = 4;

    /**
     * The number of the system call {@code getdents64}. It is called by its number: glibc has a function for it only
     * since 2.30, and {@code readdir} tells a failure from the end by the C library's own errno, which Java cannot clear.
     */
    private static final int GETDENTS64 = System.getProperty("os.arch").equals("aarch64") ? 61 : 217;

    private static final int DIRENTS_BYTES = 64 << 10;
    private static final int DIRENT_LENGTH = 16;
    private static final int DIRENT_TYPE = 18;
    private static final int DIRENT_NAME = 19;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_VALUE = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /**
     * One shape for all calls: every shape that the linker has to learn delays the start by some 20 ms. Integers and
     * addresses travel in the same registers on x86-64 and arm64, and a function does not look at those it has no
     * parameters for.
     */
    private static final MethodHandle CALL = LINKER.downcallHandle(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), ERRNO);

    private static final MemorySegment OPENAT = symbol("openat");
    private static final MemorySegment CLOSE = symbol("close");
    private static final MemorySegment PREAD = symbol("pread");
    private static final MemorySegment STATX = symbol("statx");
    private static final MemorySegment SYSCALL = symbol("syscall");
    private static final MemorySegment STRERROR = symbol("strerror");
    private static final MemorySegment MADVISE = symbol("madvise");
    private static final MemorySegment POSIX_FADVISE = symbol("posix_fadvise");
    private static final MemorySegment SYNCFS = symbol("syncfs");
    private static final MemorySegment MINCORE = symbol("mincore");
    private static final long PAGE = call(new Scratch(), symbol("getpagesize"), 0, 0, 0, 0, 0);

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private Posix() {}

    /** What a folder's entry is, as far as reading the folder tells. */
    public enum Kind {
        FILE,
        FOLDER,
        LINK,
        OTHER,
        UNKNOWN
    }

    /** A file as {@code stat} sees it. {@code device} and {@code inode} together name it. */
    public record Stat(Kind kind, long size, long modifiedNanos, long device, long inode) {}

    /** What the system is told about a part of a mapped file. */
    public enum Advice {
        /** Nobody reads on from where one read: no reading ahead. */
        RANDOM(1),
        /** It will be read soon: the system begins to fetch it now. */
        WILL_NEED(3);

        private final int code;

        Advice(int code) {
            this.code = code;
        }
    }

    /** Takes one entry of a folder; {@code name} is the caller's to keep. */
    public interface Entries {
        void entry(byte[] name, Kind kind);
    }

    private static final class Scratch {
        final Arena arena = Arena.ofAuto();
        final MemorySegment state = arena.allocate(STATE);
        final MemorySegment stat = arena.allocate(STATX_BYTES, 8);
        MemorySegment path = arena.allocate(4096);

        MemorySegment path(byte[] name) {
            if (path.byteSize() <= name.length) {
                path = arena.allocate(name.length + 1L);
            }
            MemorySegment.copy(name, 0, path, JAVA_BYTE, 0, name.length);
            path.set(JAVA_BYTE, name.length, (byte) 0);
            return path;
        }

        IOException failure() {
            return new Failure(errno());
        }

        int errno() {
            return (int) ERRNO_VALUE.get(state, 0L);
        }
    }

    /** A failed call; the message is the system's own. */
    public static final class Failure extends IOException {
        private static final long serialVersionUID = 1L;
        private final int errno;

        Failure(int errno) {
            super(message(errno));
            this.errno = errno;
        }

        /** Whether the file, or the file system, does not allow what was asked for. */
        public boolean isInvalid() {
            return errno == EINVAL;
        }

        public boolean isMissing() {
            return errno == ENOENT;
        }

        /** Whether there is nothing of that name, nor can be: also where a file stands in place of a folder above. */
        boolean isNowhere() {
            return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
        }

        /** Whether the process or the system lacks something, which says nothing of the file. */
        public boolean isShortage() {
            return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
        }

        /** Whether the other end of a connection gave up before it was accepted. */
        boolean isAborted() {
            return errno == ECONNABORTED;
        }

        /** Whether the filesystem has no locks. */
        boolean isWithoutLocks() {
            return errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP;
        }

        /** Whether it would have had to wait. */
        public boolean isBusy() {
            return errno == EAGAIN;
        }

        public int errno() {
            return errno;
        }
    }

    /** Opens for reading. The caller closes. */
    public static int open(int folder, byte[] name) throws IOException {
        return open(folder, name, 0);
    }

    /** Opens for reading past the page cache: whole sectors, into memory that begins at one. The caller closes. */
    public static int openDirect(int folder, byte[] name) throws IOException {
        return open(folder, name, O_DIRECT);
    }

    private static int open(int folder, byte[] name, int more) throws IOException {
        Scratch scratch = SCRATCH.get();
        MemorySegment path = scratch.path(name);
        while (true) {
            int file = (int) call(scratch, OPENAT, folder, path.address(), O_RDONLY | O_CLOEXEC | more, 0, 0);
            if (file >= 0) {
                return file;
            }
            if (scratch.errno() != EINTR) {
                throw scratch.failure();
            }
        }
    }

    public static void close(int file) {
        call(SCRATCH.get(), CLOSE, file, 0, 0, 0, 0);
    }

    /** Reads until {@code to} is full or the file ends; returns the number of bytes read. */
    public static long read(int file, MemorySegment to, long from) throws IOException {
        return read(file, to, from, to.byteSize());
    }

    /** Reads until so many bytes, or more, are in {@code to}, or the file ends; returns the number of bytes read. */
    public static long read(int file, MemorySegment to, long from, long enough) throws IOException {
        Scratch scratch = SCRATCH.get();
        long done = 0;
        try {
            while (done < enough) {
                long n = call(scratch, PREAD, file, to.address() + done, to.byteSize() - done, from + done, 0);
                if (n == 0) {
                    break;
                }
                if (n > 0) {
                    done += n;
                } else if (scratch.errno() != EINTR) {
                    throw scratch.failure();
                }
            }
            return done;
        } finally {
            Reference.reachabilityFence(to); // its address alone does not keep its memory
        }
    }

    /** Tells the system that nobody reads on from where one read an open file, so that it does not read ahead. */
    public static void adviseRandom(int file) {
        call(SCRATCH.get(), POSIX_FADVISE, file, 0, 0, Advice.RANDOM.code, 0);
    }

    /** Returns when everything written to the filesystem that holds an open file has reached its storage. */
    static void syncFilesystem(int file) throws IOException {
        checked(SYNCFS, file, 0, 0, 0, 0);
    }

    /**
     * Asks the system to drop an open file from its page cache. Pages that are mapped or not written yet stay, as does
     * everything on a filesystem in memory: {@link #isResident} tells.
     */
    public static void dropCached(int file) {
        call(SCRATCH.get(), POSIX_FADVISE, file, 0, 0, DONT_NEED, 0);
    }

    /** Advises about a part of a mapped file. It is advice: that it is not taken changes nothing but the time. */
    public static void advise(MemorySegment mapped, long offset, long length, Advice advice) {
        try {
            long start = mapped.address() + offset;
            long page = start & -PAGE;
            call(SCRATCH.get(), MADVISE, page, start + length - page, advice.code, 0, 0);
        } finally {
            Reference.reachabilityFence(mapped);
        }
    }

    /**
     * Whether the first, middle and last page of a part of a mapped file are in memory. The system tells this only to
     * those who may write the file; to others it says yes.
     */
    public static boolean isResident(MemorySegment mapped, long offset, long length) {
        if (length == 0) {
            return true;
        }
        Scratch scratch = SCRATCH.get();
        try {
            long start = mapped.address() + offset;
            for (long at : new long[] {start, start + length / 2, start + length - 1}) {
                long result = call(scratch, MINCORE, at & -PAGE, PAGE, scratch.stat.address(), 0, 0);
                if ((int) result != 0 || (scratch.stat.get(JAVA_BYTE, 0) & 1) == 0) {
                    return false;
                }
            }
            return true;
        } finally {
            Reference.reachabilityFence(mapped);
        }
    }

    /** Describes an open file. */
    public static Stat stat(int file) throws IOException {
        return stat(file, new byte[0], AT_EMPTY_PATH);
    }

    /** Describes a file below a folder; a symbolic link is followed. */
    public static Stat stat(int folder, byte[] name) throws IOException {
        return stat(folder, name, 0);
    }

    /** Describes a file below a folder; a symbolic link is described itself. */
    public static Stat statLink(int folder, byte[] name) throws IOException {
        return stat(folder, name, AT_SYMLINK_NOFOLLOW);
    }

    /** How many names an open file has; 0 when it was deleted. */
    static int links(int file) throws IOException {
        return statx(file, new byte[0], AT_EMPTY_PATH).get(JAVA_INT, 16);
    }

    /** A file with everything that tells one version of it from another; a symbolic link is followed. */
    static SeenFile see(Path path) throws IOException {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        Stat stat = stat(HERE, name);
        MemorySegment answer = SCRATCH.get().stat; // still that of this file
        return new SeenFile(path, stat.size(), stat.modifiedNanos(), nanos(answer, 96), stat.device(), stat.inode());
    }

    private static long nanos(MemorySegment stat, long at) {
        return stat.get(JAVA_LONG, at) * 1_000_000_000L + stat.get(JAVA_INT, at + 8);
    }

    /** The answer of {@code statx}, which is laid out alike on every architecture; valid until this thread's next one. */
    private static MemorySegment statx(int folder, byte[] name, int flags) throws IOException {
        Scratch scratch = SCRATCH.get();
        long path = scratch.path(name).address();
        if ((int) call(scratch, STATX, folder, path, flags, STATX_BASIC, scratch.stat.address()) != 0) {
            throw scratch.failure();
        }
        return scratch.stat;
    }

    private static Stat stat(int folder, byte[] name, int flags) throws IOException {
        MemorySegment stat = statx(folder, name, flags);
        Kind kind = switch (stat.get(JAVA_SHORT, 28) & 0xf000) {
            case 0x8000 -> Kind.FILE;
            case 0x4000 -> Kind.FOLDER;
            case 0xa000 -> Kind.LINK;
            default -> Kind.OTHER;
        };
        long device = (long) stat.get(JAVA_INT, 136) << 32 | Integer.toUnsignedLong(stat.get(JAVA_INT, 140));
        return new Stat(kind, stat.get(JAVA_LONG, 40), nanos(stat, 112), device, stat.get(JAVA_LONG, 32));
    }

    /** Gives the entries of a folder, without {@code .} and {@code ..}, in no order; all of them, or it fails. */
    public static void list(int folder, byte[] name, Entries entries) throws IOException {
        int file = open(folder, name);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment some = arena.allocate(DIRENTS_BYTES, 8);
            for (int filled = next(file, some); filled > 0; filled = next(file, some)) {
                for (int at = 0; at < filled; at += Short.toUnsignedInt(some.get(JAVA_SHORT, at + DIRENT_LENGTH))) {
                    give(some.asSlice(at, filled - at), entries);
                }
            }
        } finally {
            close(file);
        }
    }

    /** Reads the next entries of an open folder; returns how many bytes they take, 0 at the end. */
    private static int next(int folder, MemorySegment to) throws IOException {
        return checked(SYSCALL, GETDENTS64, folder, to.address(), to.byteSize(), 0);
    }

    private static void give(MemorySegment entry, Entries entries) {
        int length = 0;
        while (entry.get(JAVA_BYTE, DIRENT_NAME + length) != 0) {
            length++;
        }
        var name = new byte[length];
        MemorySegment.copy(entry, JAVA_BYTE, DIRENT_NAME, name, 0, length);
        if (!isDots(name)) {
            entries.entry(name, kind(entry.get(JAVA_BYTE, DIRENT_TYPE)));
        }
    }

    private static boolean isDots(byte[] name) {
        return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    }

    private static Kind kind(byte type) {
        return switch (type) {
            case 8 -> Kind.FILE;
            case 4 -> Kind.FOLDER;
            case 10 -> Kind.LINK;
            case 0 -> Kind.UNKNOWN;
            default -> Kind.OTHER;
        };
    }

    private static String message(int errno) {
        long text = call(SCRATCH.get(), STRERROR, errno, 0, 0, 0, 0);
        return MemorySegment.ofAddress(text).reinterpret(1024).getString(0);
    }

    /**
     * A call whose result fits an int, and below 0 means failure; it is made again when a signal interrupted it. For the
     * other classes of this package.
     */
    static int checked(MemorySegment function, long a, long b, long c, long d, long e) throws IOException {
        Scratch scratch = SCRATCH.get();
        while (true) {
            int result = (int) call(scratch, function, a, b, c, d, e);
            if (result >= 0) {
                return result;
            }
            if (scratch.errno() != EINTR) {
                throw scratch.failure();
            }
        }
    }

    static MemorySegment symbol(String name) {
        return LINKER.defaultLookup().findOrThrow(name);
    }

    private static long call(Scratch scratch, MemorySegment function, long a, long b, long c, long d, long e) {
        try {
            return (long) CALL.invokeExact(function, scratch.state, a, b, c, d, e);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }
}

package dev.stoker.os;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The system calls that Java has no fast or no complete way to: names as raw bytes (any alphabet, whatever the locale),
 * opening below a folder, and reading straight into native memory. All go through {@link SystemCall}.
 */
public final class Posix {
    public static final int O_RDONLY = 0;
    public static final int O_CLOEXEC = 0x80000;
    /** {@code AT_FDCWD}: a path is relative to the working folder. */
    public static final int HERE = -100;

    /** The one flag here that differs between processors. */
    private static final int O_DIRECT = System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;

    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC = 0x7ff;
    private static final int STAT_BLOCK = 512;
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

    private static final MemorySegment OPENAT = SystemCall.symbol("openat");
    private static final MemorySegment CLOSE = SystemCall.symbol("close");
    private static final MemorySegment PREAD = SystemCall.symbol("pread");
    private static final MemorySegment STATX = SystemCall.symbol("statx");
    private static final MemorySegment SYSCALL = SystemCall.symbol("syscall");
    private static final MemorySegment MADVISE = SystemCall.symbol("madvise");
    private static final MemorySegment POSIX_FADVISE = SystemCall.symbol("posix_fadvise");
    private static final MemorySegment SYNCFS = SystemCall.symbol("syncfs");
    private static final MemorySegment MINCORE = SystemCall.symbol("mincore");
    private static final long PAGE =
            SystemCall.call(new SystemCall.Scratch(), SystemCall.symbol("getpagesize"), 0, 0, 0, 0, 0);

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

    /** Opens for reading. The caller closes. */
    public static int open(int folder, byte[] name) throws IOException {
        return open(folder, name, 0);
    }

    /** Opens for reading past the page cache: whole sectors, into memory that begins at one. The caller closes. */
    public static int openDirect(int folder, byte[] name) throws IOException {
        return open(folder, name, O_DIRECT);
    }

    private static int open(int folder, byte[] name, int more) throws IOException {
        SystemCall.Scratch scratch = SystemCall.scratch();
        MemorySegment path = scratch.path(name);
        while (true) {
            int file =
                    (int) SystemCall.call(scratch, OPENAT, folder, path.address(), O_RDONLY | O_CLOEXEC | more, 0, 0);
            if (file >= 0) {
                return file;
            }
            if (scratch.errno() != SystemCall.EINTR) {
                throw scratch.failure();
            }
        }
    }

    public static void close(int file) {
        SystemCall.call(SystemCall.scratch(), CLOSE, file, 0, 0, 0, 0);
    }

    /** Reads until {@code to} is full or the file ends; returns the number of bytes read. */
    public static long read(int file, MemorySegment to, long from) throws IOException {
        return read(file, to, from, to.byteSize());
    }

    /** Reads until so many bytes, or more, are in {@code to}, or the file ends; returns the number of bytes read. */
    public static long read(int file, MemorySegment to, long from, long enough) throws IOException {
        SystemCall.Scratch scratch = SystemCall.scratch();
        long done = 0;
        try {
            while (done < enough) {
                long n = SystemCall.call(
                        scratch, PREAD, file, to.address() + done, to.byteSize() - done, from + done, 0);
                if (n == 0) {
                    break;
                }
                if (n > 0) {
                    done += n;
                } else if (scratch.errno() != SystemCall.EINTR) {
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
        SystemCall.call(SystemCall.scratch(), POSIX_FADVISE, file, 0, 0, Advice.RANDOM.code, 0);
    }

    /** Returns when everything written to the filesystem that holds an open file has reached its storage. */
    public static void syncFilesystem(int file) throws IOException {
        SystemCall.checked(SYNCFS, file, 0, 0, 0, 0);
    }

    /**
     * Asks the system to drop an open file from its page cache. Pages that are mapped or not written yet stay, as does
     * everything on a filesystem in memory: {@link #isResident} tells.
     */
    public static void dropCached(int file) {
        SystemCall.call(SystemCall.scratch(), POSIX_FADVISE, file, 0, 0, DONT_NEED, 0);
    }

    /** Advises about a part of a mapped file. It is advice: that it is not taken changes nothing but the time. */
    public static void advise(MemorySegment mapped, long offset, long length, Advice advice) {
        try {
            long start = mapped.address() + offset;
            long page = start & -PAGE;
            SystemCall.call(SystemCall.scratch(), MADVISE, page, start + length - page, advice.code, 0, 0);
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
        SystemCall.Scratch scratch = SystemCall.scratch();
        try {
            long start = mapped.address() + offset;
            for (long at : new long[] {start, start + length / 2, start + length - 1}) {
                long result = SystemCall.call(scratch, MINCORE, at & -PAGE, PAGE, scratch.stat.address(), 0, 0);
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

    /** How much room a file takes on its disk: less than its length where nothing was written yet. */
    static long allocatedBytes(Path path) throws IOException {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        return statx(HERE, name, AT_SYMLINK_NOFOLLOW).get(JAVA_LONG, 48) * STAT_BLOCK;
    }

    /** How many names an open file has; 0 when it was deleted. */
    static int links(int file) throws IOException {
        return statx(file, new byte[0], AT_EMPTY_PATH).get(JAVA_INT, 16);
    }

    /** A file with everything that tells one version of it from another; a symbolic link is followed. */
    static FileStamp see(Path path) throws IOException {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        Stat stat = stat(HERE, name);
        MemorySegment answer = SystemCall.scratch().stat; // still that of this file
        return new FileStamp(path, stat.size(), stat.modifiedNanos(), nanos(answer, 96), stat.device(), stat.inode());
    }

    private static long nanos(MemorySegment stat, long at) {
        return stat.get(JAVA_LONG, at) * 1_000_000_000L + stat.get(JAVA_INT, at + 8);
    }

    /** The answer of {@code statx}, which is laid out alike on every architecture; valid until this thread's next one. */
    private static MemorySegment statx(int folder, byte[] name, int flags) throws IOException {
        SystemCall.Scratch scratch = SystemCall.scratch();
        long path = scratch.path(name).address();
        if ((int) SystemCall.call(scratch, STATX, folder, path, flags, STATX_BASIC, scratch.stat.address()) != 0) {
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
        return SystemCall.checked(SYSCALL, GETDENTS64, folder, to.address(), to.byteSize(), 0);
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
}

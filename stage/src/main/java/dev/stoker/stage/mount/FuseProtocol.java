package dev.stoker.stage.mount;

/**
 * The numbers of the kernel's FUSE protocol, version 7.31, as far as a filesystem that cannot be written needs them.
 * All numbers are in the byte order of the machine.
 *
 * <pre>
 * request    0 u32 length   4 u32 operation   8 u64 unique   16 u64 node   24 u32 user, group, process   40 arguments
 *   INIT     40 u32 major   44 u32 minor   48 u32 readahead   52 u32 flags
 *   LOOKUP   40 the name, ended by a NUL
 *   READ, READDIR, READDIRPLUS   40 u64 handle   48 u64 offset   56 u32 size
 *
 * answer     the header is {@link dev.stoker.os.FuseDevice}'s; then
 *   INIT     0 u32 major, minor, readahead, flags   16 u16 background, congestion   20 u32 write   24 u32 time
 *            28 u16 pages   up to 64 zeros
 *   attr     0 u64 inode   8 u64 size   16 u64 blocks   24 u64 atime, mtime, ctime   48 u32 their nanoseconds
 *            60 u32 mode   64 u32 links   68 u32 user   72 u32 group   76 u32 device   80 u32 block size   84 u32 flags
 *   entry    0 u64 node   8 u64 generation   16 u64 valid   24 u64 attr valid   32 u32, u32 nanoseconds   40 attr
 *   GETATTR  0 u64 valid   8 u32 nanoseconds   16 attr
 *   dirent   0 u64 inode   8 u64 next offset   16 u32 length of the name   20 u32 type   24 the name, padded to 8 bytes
 *   READDIRPLUS   entry, dirent, entry, dirent …
 *   STATFS   0 u64 blocks, free, available, files, free files   40 u32 block size   44 u32 name length   48 u32 fragment
 *            up to 80 zeros
 * </pre>
 */
final class FuseProtocol {
    static final int MAJOR = 7;
    static final int MINOR = 31;

    // Operations.
    static final int LOOKUP = 1;
    static final int FORGET = 2;
    static final int GETATTR = 3;
    static final int OPEN = 14;
    static final int READ = 15;
    static final int STATFS = 17;
    static final int RELEASE = 18;
    static final int FLUSH = 25;
    static final int INIT = 26;
    static final int OPENDIR = 27;
    static final int READDIR = 28;
    static final int RELEASEDIR = 29;
    static final int ACCESS = 34;
    static final int INTERRUPT = 36;
    static final int DESTROY = 38;
    static final int BATCH_FORGET = 42;
    static final int READDIRPLUS = 44;

    // What is agreed on at the beginning.
    static final int ASYNC_READ = 1;
    static final int DO_READDIRPLUS = 1 << 13;
    static final int READDIRPLUS_AUTO = 1 << 14;
    /** Files need no opening and closing here: the kernel asks once, and then no more. */
    static final int NO_OPEN_SUPPORT = 1 << 17;

    static final int PARALLEL_DIROPS = 1 << 18;
    static final int MAX_PAGES = 1 << 22;
    static final int NO_OPENDIR_SUPPORT = 1 << 24;

    // Requests.
    static final int REQUEST_OPERATION = 4;
    static final int REQUEST_UNIQUE = 8;
    static final int REQUEST_NODE = 16;
    static final int ARGUMENTS = 40;
    static final int READ_OFFSET = 48;
    static final int READ_SIZE = 56;

    // Answers.
    static final int INIT_BYTES = 64;
    static final int ATTR_BYTES = 88;
    static final int ENTRY_BYTES = 40 + ATTR_BYTES;
    static final int GETATTR_BYTES = 16 + ATTR_BYTES;
    static final int DIRENT_BYTES = 24;
    static final int STATFS_BYTES = 80;
    static final int MAX_NAME = 255;

    // Error numbers.
    static final int ENOENT = 2;
    static final int EIO = 5;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int ENOSYS = 38;
    static final int EPROTO = 71;

    // Kinds of files.
    static final int FILE_MODE = 0100444;
    static final int FOLDER_MODE = 040555;
    static final int FILE_TYPE = 8;
    static final int FOLDER_TYPE = 4;

    private FuseProtocol() {}
}

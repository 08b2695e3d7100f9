/*
 * A folder seen through a storage that fails when it is told to, and that writes down what was changed and what was made durable,
 * so that a power cut can be simulated from that. One request at a time, so that counting gives the same order each time.
 *
 * usage: faulty FOLDER MOUNTPOINT LOG OPERATION FIRST COUNT ERRNO [MOUNT_OPTIONS]    (stays in the foreground; fusermount3 -u ends it)
 *
 * OPERATION is open, create, read, write, sync, rename, lock, stat, list, or none; of its calls those from FIRST (the first is 1) on fail
 * with ERRNO, COUNT of them. It may be path, too: then every look at the file or folder of the FIRST stat fails, and every
 * attempt to open or list it. A listing that fails does so half-way. LOG has one line for each change: what, then its words; the bytes of a write and a newline follow its line. Its last line
 * is how many calls of each operation there were. A LOG of "-" writes none.
 *
 * build: gcc -O2 faulty.c $(pkg-config --cflags --libs fuse3) -o faulty
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int root;
static FILE *record;
static const char *failing;
static long first, times;
static int failure;

static const char *const OPERATIONS[] = {"open", "create", "read", "write", "sync", "rename", "lock", "stat", "list"};
enum { STAT = 7, KINDS = sizeof OPERATIONS / sizeof *OPERATIONS };
static long seen[KINDS];

/* The path of which nothing works any more; empty while all do. */
static char gone[4096];

static const char *below(const char *path) { return path[1] ? path + 1 : "."; }

/* The error with which this call ends, or 0. */
static int fails(const char *operation) {
    int kind = 0;
    while (strcmp(OPERATIONS[kind], operation)) kind++;
    seen[kind]++;
    return !strcmp(operation, failing) && seen[kind] >= first && seen[kind] < first + times ? -failure : 0;
}

/* The same for a call on a path. The root folder works: without it there would be nothing to look at. */
static int fails_at(const char *operation, const char *path) {
    int error = fails(operation);
    if (strcmp(failing, "path")) return error;
    if (!*gone && !strcmp(operation, "stat") && path[1] && seen[STAT] >= first) snprintf(gone, sizeof gone, "%s", path);
    return *gone && !strcmp(path, gone) ? -failure : 0;
}

/* A file keeps its number when it is renamed. */
static unsigned long number(int descriptor) {
    struct stat found;
    return fstat(descriptor, &found) ? 0 : (unsigned long)found.st_ino;
}

#define NOTE(...) do { if (record) { fprintf(record, __VA_ARGS__); fflush(record); } } while (0)

static void *start(struct fuse_conn_info *connection, struct fuse_config *config) {
    (void)connection;
    config->use_ino = config->hard_remove = 1;
    config->attr_timeout = config->entry_timeout = config->negative_timeout = 0;
    return NULL;
}

static int get_attributes(const char *path, struct stat *to, struct fuse_file_info *file) {
    int error = fails_at("stat", path);
    if (error) return error;
    if (file) return fstat((int)file->fh, to) ? -errno : 0;
    return fstatat(root, below(path), to, AT_SYMLINK_NOFOLLOW) ? -errno : 0;
}

/* The folder whose listing is to fail when it is asked for the rest. */
static char halved[4096];

/* Gives half of the entries, and at the next call an error, if this listing is to fail. */
static int read_folder(const char *path, void *to, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *file,
                       enum fuse_readdir_flags flags) {
    (void)flags, (void)file;
    int error = offset ? 0 : fails_at("list", path);
    if (*gone && error) return error;
    if (error) snprintf(halved, sizeof halved, "%s", path);
    int half = !strcmp(halved, path);
    if (offset && half) {
        *halved = 0;
        return -failure;
    }
    int descriptor = openat(root, below(path), O_RDONLY | O_DIRECTORY);
    DIR *folder = descriptor < 0 ? NULL : fdopendir(descriptor);
    if (!folder) return -errno;
    off_t count = 0, at = 0;
    while (readdir(folder)) count++;
    rewinddir(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat kind = {.st_ino = entry->d_ino, .st_mode = (mode_t)entry->d_type << 12};
        if (++at > offset && ((half && at > count / 2) || fill(to, entry->d_name, &kind, at, 0))) break;
    }
    closedir(folder);
    return 0;
}

static int open_file(const char *path, struct fuse_file_info *file) {
    int error = fails_at("open", path);
    if (error) return error;
    int descriptor = openat(root, below(path), file->flags & ~(O_CREAT | O_EXCL));
    file->fh = (uint64_t)descriptor;
    if (descriptor >= 0 && (file->flags & O_TRUNC)) NOTE("size %lu 0\n", number(descriptor));
    return descriptor < 0 ? -errno : 0;
}

static int create_file(const char *path, mode_t mode, struct fuse_file_info *file) {
    int error = fails("create");
    if (error) return error;
    int descriptor = openat(root, below(path), file->flags | O_CREAT, mode);
    file->fh = (uint64_t)descriptor;
    if (descriptor >= 0) NOTE("file %lu %o %s\n", number(descriptor), mode & 07777, below(path));
    return descriptor < 0 ? -errno : 0;
}

static int make_folder(const char *path, mode_t mode) {
    int error = fails("create");
    if (error) return error;
    if (mkdirat(root, below(path), mode)) return -errno;
    NOTE("folder %o %s\n", mode & 07777, below(path));
    return 0;
}

static int read_file(const char *path, char *to, size_t size, off_t from, struct fuse_file_info *file) {
    (void)path;
    int error = fails("read");
    if (error) return error;
    ssize_t count = pread((int)file->fh, to, size, from);
    return count < 0 ? -errno : (int)count;
}

static int write_file(const char *path, const char *bytes, size_t size, off_t to, struct fuse_file_info *file) {
    (void)path;
    int error = fails("write");
    if (error) return error;
    ssize_t count = pwrite((int)file->fh, bytes, size, to);
    if (count > 0 && record) {
        fprintf(record, "write %lu %ld %zd\n", number((int)file->fh), (long)to, count);
        fwrite(bytes, 1, (size_t)count, record);
        fputc('\n', record);
        fflush(record);
    }
    return count < 0 ? -errno : (int)count;
}

static int resize(const char *path, off_t size, struct fuse_file_info *file) {
    int error = fails("write");
    if (error) return error;
    int descriptor = file ? (int)file->fh : openat(root, below(path), O_WRONLY);
    int result = descriptor < 0 || ftruncate(descriptor, size) ? -errno : 0;
    if (!result) NOTE("size %lu %ld\n", number(descriptor), (long)size);
    if (!file && descriptor >= 0) close(descriptor);
    return result;
}

static int sync_file(const char *path, int data_only, struct fuse_file_info *file) {
    (void)path, (void)data_only;
    int error = fails("sync");
    if (error) return error;
    NOTE("sync %lu\n", number((int)file->fh));
    return 0;
}

static int sync_folder(const char *path, int data_only, struct fuse_file_info *file) {
    (void)data_only, (void)file;
    int error = fails("sync");
    if (error) return error;
    NOTE("sync-folder %s\n", below(path));
    return 0;
}

static int rename_file(const char *from, const char *to, unsigned int flags) {
    int error = fails("rename");
    if (error) return error;
    if (renameat2(root, below(from), root, below(to), flags)) return -errno;
    NOTE("rename %s\t%s\n", below(from), below(to));
    return 0;
}

static int link_file(const char *from, const char *to) {
    int error = fails("create");
    if (error) return error;
    if (linkat(root, below(from), root, below(to), 0)) return -errno;
    NOTE("link %s\t%s\n", below(from), below(to));
    return 0;
}

static int delete_file(const char *path) {
    if (unlinkat(root, below(path), 0)) return -errno;
    NOTE("delete %s\n", below(path));
    return 0;
}

static int delete_folder(const char *path) {
    if (unlinkat(root, below(path), AT_REMOVEDIR)) return -errno;
    NOTE("delete %s\n", below(path));
    return 0;
}

static int change_mode(const char *path, mode_t mode, struct fuse_file_info *file) {
    (void)file;
    return fchmodat(root, below(path), mode, 0) ? -errno : 0;
}

static int change_owner(const char *path, uid_t user, gid_t group, struct fuse_file_info *file) {
    (void)file;
    return fchownat(root, below(path), user, group, AT_SYMLINK_NOFOLLOW) ? -errno : 0;
}

static int set_times(const char *path, const struct timespec times[2], struct fuse_file_info *file) {
    (void)file;
    return utimensat(root, below(path), times, AT_SYMLINK_NOFOLLOW) ? -errno : 0;
}

static int describe(const char *path, struct statvfs *to) {
    (void)path;
    return fstatvfs(root, to) ? -errno : 0;
}

static int close_file(const char *path, struct fuse_file_info *file) {
    (void)path;
    return close((int)file->fh);
}

static void end(void *unused) {
    (void)unused;
    NOTE("calls");
    for (int kind = 0; kind < KINDS; kind++) NOTE(" %s=%ld", OPERATIONS[kind], seen[kind]);
    NOTE("\n");
}

static int lock_file(const char *path, struct fuse_file_info *file, int how) {
    (void)path;
    int error = fails("lock");
    return error ? error : flock((int)file->fh, how | LOCK_NB) ? -errno : 0;
}

int main(int count, char **words) {
    if (count < 8 || count > 9 || (root = open(words[1], O_RDONLY | O_DIRECTORY)) < 0) return 2;
    if (strcmp(words[3], "-") && !(record = fopen(words[3], "w"))) return 2;
    failing = words[4], first = atol(words[5]), times = atol(words[6]), failure = atoi(words[7]);
    umask(0);
    struct fuse_operations operations = {.init = start,
                                         .destroy = end,
                                         .getattr = get_attributes,
                                         .readdir = read_folder,
                                         .open = open_file,
                                         .create = create_file,
                                         .mkdir = make_folder,
                                         .read = read_file,
                                         .write = write_file,
                                         .truncate = resize,
                                         .fsync = sync_file,
                                         .fsyncdir = sync_folder,
                                         .rename = rename_file,
                                         .link = link_file,
                                         .unlink = delete_file,
                                         .rmdir = delete_folder,
                                         .chmod = change_mode,
                                         .chown = change_owner,
                                         .utimens = set_times,
                                         .statfs = describe,
                                         .release = close_file};
    if (!strcmp(failing, "lock")) operations.flock = lock_file; /* else the kernel keeps locks by itself */
    char *arguments[] = {words[0], "-f", "-s", words[2], "-o", count > 8 ? words[8] : "rw", NULL};
    return fuse_main(6, arguments, &operations, NULL);
}

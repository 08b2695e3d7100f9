/*
 * A folder seen through delays, as on a parallel filesystem whose servers are busy: every lookup, open and read of its
 * files waits before it is done. Read-only, many requests at a time. Emulated latency, nothing else.
 *
 * usage: latency SOURCE LOOKUP_US OPEN_US READ_US MOUNTPOINT     (stays in the foreground; fusermount3 -u ends it)
 * build: gcc -O2 latency.c $(pkg-config --cflags --libs fuse3) -o latency
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int root;
static long lookup_us, open_us, read_us;

static const char *below(const char *path) { return path[1] ? path + 1 : "."; }

static void *start(struct fuse_conn_info *connection, struct fuse_config *config) {
    (void)connection;
    config->use_ino = 1;
    config->attr_timeout = config->entry_timeout = 1;
    return NULL;
}

static int get_attributes(const char *path, struct stat *to, struct fuse_file_info *file) {
    if (file) return fstat((int)file->fh, to) ? -errno : 0;
    usleep(lookup_us);
    return fstatat(root, below(path), to, AT_SYMLINK_NOFOLLOW) ? -errno : 0;
}

static int read_folder(const char *path, void *to, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *file,
                       enum fuse_readdir_flags flags) {
    (void)offset, (void)file, (void)flags;
    int descriptor = openat(root, below(path), O_RDONLY | O_DIRECTORY);
    DIR *folder = descriptor < 0 ? NULL : fdopendir(descriptor);
    if (!folder) return -errno;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat kind = {.st_ino = entry->d_ino, .st_mode = (mode_t)entry->d_type << 12};
        fill(to, entry->d_name, &kind, 0, 0);
    }
    closedir(folder);
    return 0;
}

static int open_file(const char *path, struct fuse_file_info *file) {
    if ((file->flags & O_ACCMODE) != O_RDONLY) return -EROFS;
    usleep(open_us);
    int descriptor = openat(root, below(path), O_RDONLY);
    file->fh = (uint64_t)descriptor;
    return descriptor < 0 ? -errno : 0;
}

static int read_file(const char *path, char *to, size_t size, off_t from, struct fuse_file_info *file) {
    (void)path;
    usleep(read_us);
    ssize_t count = pread((int)file->fh, to, size, from);
    return count < 0 ? -errno : (int)count;
}

static int close_file(const char *path, struct fuse_file_info *file) {
    (void)path;
    return close((int)file->fh);
}

int main(int count, char **words) {
    if (count != 6 || (root = open(words[1], O_RDONLY | O_DIRECTORY)) < 0) return 2;
    lookup_us = atol(words[2]), open_us = atol(words[3]), read_us = atol(words[4]);
    struct fuse_operations operations = {.init = start,
                                         .getattr = get_attributes,
                                         .readdir = read_folder,
                                         .open = open_file,
                                         .read = read_file,
                                         .release = close_file};
    char *arguments[] = {words[0], "-f", "-o", "max_idle_threads=64", words[5], NULL};
    return fuse_main(5, arguments, &operations, NULL);
}

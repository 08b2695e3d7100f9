/*
 * A folder as one node of a cluster sees it, whose client caches pages and does not ask the server what others did: NFS at its worst.
 * Several of these over one folder are several nodes.
 *
 * usage: client FOLDER MOUNTPOINT SEED    (stays in the foreground; fusermount3 -u ends it)
 *
 * A page has 64 KiB. A write of a part of a page reads the page first, unless it is cached, and later writes back all of it: at a random
 * moment, at the latest when the file is synced or closed. What is cached is not looked at again until the file is opened. Attributes,
 * and names that were not there, are remembered for a second.
 *
 * build: gcc -O2 client.c $(pkg-config --cflags --libs fuse3) -o client
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

enum { PAGE = 1 << 16, BUCKETS = 1024, EARLY = 8 };

struct page {
    struct page *next;
    off_t number;
    int dirty;
    size_t end; /* how far it has bytes; behind that the file ended */
    char bytes[PAGE];
};

/* A file that is open, once however often it is. */
struct file {
    struct file *next;
    ino_t number;
    int descriptor, users;
    struct page *pages[BUCKETS];
};

static int root;
static struct file *files;

static const char *below(const char *path) { return path[1] ? path + 1 : "."; }

static struct file *file_of(struct fuse_file_info *info) { return (struct file *)(uintptr_t)info->fh; }

static int write_back(struct file *file, struct page *page) {
    page->dirty = 0;
    return pwrite(file->descriptor, page->bytes, page->end, page->number * PAGE) == (ssize_t)page->end ? 0 : -errno;
}

/* Writes all that is dirty; then takes the pages out of the cache, if that is asked for. */
static int flush(struct file *file, int forget) {
    int result = 0;
    for (int b = 0; b < BUCKETS; b++) {
        for (struct page **at = &file->pages[b]; *at;) {
            struct page *page = *at;
            int error = page->dirty ? write_back(file, page) : 0;
            if (error) result = error;
            if (forget) {
                *at = page->next;
                free(page);
            } else {
                at = &page->next;
            }
        }
    }
    return result;
}

static struct page *page_of(struct file *file, off_t number) {
    struct page **bucket = &file->pages[number % BUCKETS], *page = *bucket;
    while (page && page->number != number) page = page->next;
    if (!page) {
        if (!(page = calloc(1, sizeof *page))) return NULL;
        ssize_t count = pread(file->descriptor, page->bytes, PAGE, number * PAGE);
        page->end = count < 0 ? 0 : (size_t)count;
        page->number = number;
        page->next = *bucket;
        *bucket = page;
    }
    return page;
}

static int size_of(struct file *file, struct stat *to) {
    if (fstat(file->descriptor, to)) return -errno;
    for (int b = 0; b < BUCKETS; b++)
        for (struct page *page = file->pages[b]; page; page = page->next) {
            off_t end = page->number * PAGE + (off_t)page->end;
            if (page->dirty && end > to->st_size) to->st_size = end;
        }
    return 0;
}

static struct file *known(ino_t number) {
    struct file *file = files;
    while (file && file->number != number) file = file->next;
    return file;
}

static int take(int descriptor, struct fuse_file_info *info) {
    struct stat found;
    if (descriptor < 0 || fstat(descriptor, &found)) return -errno;
    struct file *file = known(found.st_ino);
    if (file) {
        close(descriptor);
        int error = flush(file, 1);
        if (error) return error;
    } else {
        if (!(file = calloc(1, sizeof *file))) return -ENOMEM;
        *file = (struct file){.next = files, .number = found.st_ino, .descriptor = descriptor};
        files = file;
    }
    file->users++;
    info->fh = (uint64_t)(uintptr_t)file;
    return 0;
}

/* A page is read before a part of it is written, so everything is opened for reading too. */
static int open_below(const char *path, int flags, mode_t mode) {
    int wanted = flags & ~(O_ACCMODE | O_APPEND);
    int descriptor = openat(root, below(path), wanted | O_RDWR, mode);
    return descriptor < 0 && (flags & O_ACCMODE) == O_RDONLY ? openat(root, below(path), wanted | O_RDONLY, mode) : descriptor;
}

static void *start(struct fuse_conn_info *connection, struct fuse_config *config) {
    (void)connection;
    config->use_ino = config->hard_remove = 1;
    config->attr_timeout = config->negative_timeout = 1;
    config->entry_timeout = 0;
    return NULL;
}

static int get_attributes(const char *path, struct stat *to, struct fuse_file_info *info) {
    if (info) return size_of(file_of(info), to);
    if (fstatat(root, below(path), to, AT_SYMLINK_NOFOLLOW)) return -errno;
    struct file *file = known(to->st_ino);
    return file && S_ISREG(to->st_mode) ? size_of(file, to) : 0;
}

static int read_folder(const char *path, void *to, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *info,
                       enum fuse_readdir_flags flags) {
    (void)offset, (void)info, (void)flags;
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

static int open_file(const char *path, struct fuse_file_info *info) {
    return take(open_below(path, info->flags & ~(O_CREAT | O_EXCL), 0), info);
}

static int create_file(const char *path, mode_t mode, struct fuse_file_info *info) {
    return take(open_below(path, info->flags | O_CREAT, mode), info);
}

static int read_file(const char *path, char *to, size_t size, off_t from, struct fuse_file_info *info) {
    (void)path;
    struct stat found;
    int error = size_of(file_of(info), &found);
    if (error) return error;
    if (from >= found.st_size) return 0;
    if ((off_t)size > found.st_size - from) size = (size_t)(found.st_size - from);
    memset(to, 0, size); /* behind a page's end there is a hole, unless it is the file's */
    for (size_t done = 0; done < size;) {
        struct page *page = page_of(file_of(info), (from + (off_t)done) / PAGE);
        if (!page) return -ENOMEM;
        size_t at = (size_t)((from + (off_t)done) % PAGE);
        size_t count = PAGE - at < size - done ? PAGE - at : size - done;
        if (at < page->end) memcpy(to + done, page->bytes + at, page->end - at < count ? page->end - at : count);
        done += count;
    }
    return (int)size;
}

static int write_file(const char *path, const char *bytes, size_t size, off_t to, struct fuse_file_info *info) {
    (void)path;
    struct file *file = file_of(info);
    for (size_t done = 0; done < size;) {
        struct page *page = page_of(file, (to + (off_t)done) / PAGE);
        if (!page) return -ENOMEM;
        size_t at = (size_t)((to + (off_t)done) % PAGE);
        size_t count = PAGE - at < size - done ? PAGE - at : size - done;
        memcpy(page->bytes + at, bytes + done, count);
        if (at + count > page->end) page->end = at + count;
        page->dirty = 1;
        int error = rand() % EARLY ? 0 : write_back(file, page);
        if (error) return error;
        done += count;
    }
    return (int)size;
}

static int resize(const char *path, off_t size, struct fuse_file_info *info) {
    struct stat found;
    if (!info && fstatat(root, below(path), &found, 0)) return -errno;
    struct file *file = info ? file_of(info) : known(found.st_ino);
    int error = file ? flush(file, 1) : 0;
    if (error) return error;
    int descriptor = file ? file->descriptor : openat(root, below(path), O_WRONLY);
    int result = descriptor < 0 || ftruncate(descriptor, size) ? -errno : 0;
    if (!file && descriptor >= 0) close(descriptor);
    return result;
}

static int flush_file(const char *path, struct fuse_file_info *info) {
    (void)path;
    return flush(file_of(info), 0);
}

static int sync_file(const char *path, int data_only, struct fuse_file_info *info) {
    (void)path, (void)data_only;
    return flush(file_of(info), 0);
}

static int close_file(const char *path, struct fuse_file_info *info) {
    (void)path;
    struct file *file = file_of(info), **at = &files;
    int result = flush(file, --file->users == 0);
    if (file->users == 0) {
        while (*at != file) at = &(*at)->next;
        *at = file->next;
        close(file->descriptor);
        free(file);
    }
    return result;
}

static int lock_file(const char *path, struct fuse_file_info *info, int how) {
    (void)path;
    return flock(file_of(info)->descriptor, how | LOCK_NB) ? -errno : 0;
}

static int make_folder(const char *path, mode_t mode) { return mkdirat(root, below(path), mode) ? -errno : 0; }

static int rename_file(const char *from, const char *to, unsigned int flags) {
    return renameat2(root, below(from), root, below(to), flags) ? -errno : 0;
}

static int link_file(const char *from, const char *to) { return linkat(root, below(from), root, below(to), 0) ? -errno : 0; }

static int delete_file(const char *path) { return unlinkat(root, below(path), 0) ? -errno : 0; }

static int delete_folder(const char *path) { return unlinkat(root, below(path), AT_REMOVEDIR) ? -errno : 0; }

static int change_mode(const char *path, mode_t mode, struct fuse_file_info *info) {
    (void)info;
    return fchmodat(root, below(path), mode, 0) ? -errno : 0;
}

static int set_times(const char *path, const struct timespec times[2], struct fuse_file_info *info) {
    (void)info;
    return utimensat(root, below(path), times, AT_SYMLINK_NOFOLLOW) ? -errno : 0;
}

static int describe(const char *path, struct statvfs *to) {
    (void)path;
    return fstatvfs(root, to) ? -errno : 0;
}

int main(int count, char **words) {
    if (count != 4 || (root = open(words[1], O_RDONLY | O_DIRECTORY)) < 0) return 2;
    srand((unsigned)atol(words[3]));
    umask(0);
    struct fuse_operations operations = {.init = start,
                                         .getattr = get_attributes,
                                         .readdir = read_folder,
                                         .open = open_file,
                                         .create = create_file,
                                         .read = read_file,
                                         .write = write_file,
                                         .truncate = resize,
                                         .flush = flush_file,
                                         .fsync = sync_file,
                                         .release = close_file,
                                         .flock = lock_file,
                                         .mkdir = make_folder,
                                         .rename = rename_file,
                                         .link = link_file,
                                         .unlink = delete_file,
                                         .rmdir = delete_folder,
                                         .chmod = change_mode,
                                         .utimens = set_times,
                                         .statfs = describe};
    char *arguments[] = {words[0], "-f", "-s", words[2], NULL};
    return fuse_main(4, arguments, &operations, NULL);
}

/* A disk that hangs, fails or takes its time, for one folder: preloaded, it stands before the C library's own calls.
   SLUICE_DISK names the folder; SLUICE_DISK_ORDERS a file elsewhere that says how it is now:
   nothing (well), "hang" (until that changes), "fail", or how many milliseconds each call takes. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void pause_ms(long ms) {
    struct timespec time = {ms / 1000, (ms % 1000) * 1000000L};
    nanosleep(&time, NULL);
}

static void read_orders(char *orders, size_t size) {
    const char *path = getenv("SLUICE_DISK_ORDERS");
    ssize_t count = -1;
    if (path) {
        int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
        if (file >= 0) {
            count = syscall(SYS_read, file, orders, size - 1);
            syscall(SYS_close, file);
        }
    }
    orders[count > 0 ? count : 0] = 0;
}

/* Whether the call is to fail; it takes as long as it is to take before. */
static int wait_for_disk(const char *path) {
    const char *folder = getenv("SLUICE_DISK");
    char orders[32];
    if (!folder || strncmp(path, folder, strlen(folder))) return 0;
    read_orders(orders, sizeof orders);
    while (!strncmp(orders, "hang", 4)) {
        pause_ms(10);
        read_orders(orders, sizeof orders);
    }
    if (!strncmp(orders, "fail", 4)) {
        errno = EIO;
        return 1;
    }
    pause_ms(atol(orders));
    return 0;
}

static int wait_for_file(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (count < 0) return 0;
    path[count] = 0;
    return wait_for_disk(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int file) { return wait_for_file(file) ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return wait_for_file(file) ? -1 : REAL(fdatasync)(file); }
int ftruncate(int file, off_t size) { return wait_for_file(file) ? -1 : REAL(ftruncate)(file, size); }
int rename(const char *from, const char *to) { return wait_for_disk(to) ? -1 : REAL(rename)(from, to); }

ssize_t write(int file, const void *from, size_t size) {
    return wait_for_file(file) ? -1 : REAL(write)(file, from, size);
}

ssize_t pwrite(int file, const void *from, size_t size, off_t at) {
    return wait_for_file(file) ? -1 : REAL(pwrite)(file, from, size, at);
}

ssize_t pwrite64(int file, const void *from, size_t size, off64_t at) {
    return wait_for_file(file) ? -1 : REAL(pwrite64)(file, from, size, at);
}

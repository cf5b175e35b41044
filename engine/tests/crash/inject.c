/* Stands between a process and the disk: counts every call that changes the data directory, and at one of them does
 * what a failing disk or a power cut would do. Loaded with LD_PRELOAD by the tests, which say in the environment:
 *
 *   FAULT_DIR    the data directory: calls that touch anything else are let through uncounted
 *   FAULT_LOG    where every fault is written down (and, with FAULT_MODE=trace, every counted call)
 *   FAULT_MODE   trace | kill-before | kill-after | torn | eio | enospc
 *   FAULT_AT     the call at which it happens, from 1 on
 *   FAULT_COUNT  how many of the following calls that need room also find none (enospc only)
 *   FAULT_SWITCH enospc only: while this file exists there is no room, whatever the count says
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITES = 1, SYNCS = 2, NAMES = 4 };
enum { THROUGH, FAIL, TORN, THEN_DIE };

static atomic_long counted;

static void note(const char *what, long number, const char *call, const char *path) {
    char line[PATH_MAX + 100];
    const char *log = getenv("FAULT_LOG");
    if (!log) return;
    const char *name = strrchr(path, '/');
    int length = snprintf(line, sizeof line, "%s %ld %s %s\n", what, number, call, name ? name + 1 : path);
    int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return;
    syscall(SYS_write, file, line, (size_t)length);
    syscall(SYS_close, file);
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

static int is_inside(const char *path) {
    const char *directory = getenv("FAULT_DIR");
    return directory && strncmp(path, directory, strlen(directory)) == 0;
}

static const char *path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    return path;
}

/* What is to become of this call. */
static int judge(int kind, const char *call, const char *path) {
    const char *mode = getenv("FAULT_MODE");
    if (!mode || !is_inside(path)) return THROUGH;
    int saved = errno;
    long number = atomic_fetch_add(&counted, 1) + 1;
    long at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
    long count = getenv("FAULT_COUNT") ? atol(getenv("FAULT_COUNT")) : 1;
    int answer = THROUGH;
    if (!strcmp(mode, "trace")) {
        note("call", number, call, path);
    } else if (!strcmp(mode, "enospc")) {
        const char *gate = getenv("FAULT_SWITCH");
        int is_shut = gate && access(gate, F_OK) == 0;
        if ((is_shut && (kind & WRITES)) || (number >= at && number < at + count)) {
            note("fault", number, call, path);
            saved = ENOSPC;
            answer = FAIL;
        }
    } else if (number == at) {
        note("fault", number, call, path);
        if (!strcmp(mode, "kill-before")) die();
        if (!strcmp(mode, "kill-after")) answer = THEN_DIE;
        if (!strcmp(mode, "torn")) answer = (kind & WRITES) ? TORN : THEN_DIE;
        if (!strcmp(mode, "eio")) { saved = EIO; answer = FAIL; }
    }
    errno = saved;
    return answer;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FINISH(verdict, type, call) \
    do { type result = (call); if ((verdict) != THROUGH) die(); return result; } while (0)

ssize_t write(int fd, const void *bytes, size_t length) {
    char path[PATH_MAX];
    int verdict = judge(WRITES, "write", path_of(fd, path));
    if (verdict == FAIL) return -1;
    FINISH(verdict, ssize_t, REAL(write)(fd, bytes, verdict == TORN ? length / 2 : length));
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    char path[PATH_MAX];
    int verdict = judge(WRITES, "pwrite", path_of(fd, path));
    if (verdict == FAIL) return -1;
    FINISH(verdict, ssize_t, REAL(pwrite)(fd, bytes, verdict == TORN ? length / 2 : length, offset));
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    char path[PATH_MAX];
    int verdict = judge(WRITES, "pwrite", path_of(fd, path));
    if (verdict == FAIL) return -1;
    FINISH(verdict, ssize_t, REAL(pwrite64)(fd, bytes, verdict == TORN ? length / 2 : length, offset));
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    char path[PATH_MAX];
    int verdict = judge(WRITES, "writev", path_of(fd, path));
    if (verdict == FAIL) return -1;
    FINISH(verdict, ssize_t, REAL(writev)(fd, parts, verdict == TORN ? (count + 1) / 2 : count));
}

int ftruncate(int fd, off_t length) {
    char path[PATH_MAX];
    int verdict = judge(NAMES, "ftruncate", path_of(fd, path));
    if (verdict == FAIL) return -1;
    FINISH(verdict, int, REAL(ftruncate)(fd, length));
}

int ftruncate64(int fd, off64_t length) {
    char path[PATH_MAX];
    int verdict = judge(NAMES, "ftruncate", path_of(fd, path));
    if (verdict == FAIL) return -1;
    FINISH(verdict, int, REAL(ftruncate64)(fd, length));
}

int fsync(int fd) {
    char path[PATH_MAX];
    int verdict = judge(SYNCS, "fsync", path_of(fd, path));
    if (verdict == FAIL) return -1;
    FINISH(verdict, int, REAL(fsync)(fd));
}

int fdatasync(int fd) {
    char path[PATH_MAX];
    int verdict = judge(SYNCS, "fdatasync", path_of(fd, path));
    if (verdict == FAIL) return -1;
    FINISH(verdict, int, REAL(fdatasync)(fd));
}

int rename(const char *from, const char *to) {
    int verdict = judge(NAMES, "rename", to);
    if (verdict == FAIL) return -1;
    FINISH(verdict, int, REAL(rename)(from, to));
}

int renameat(int from_fd, const char *from, int to_fd, const char *to) {
    int verdict = judge(NAMES, "renameat", to);
    if (verdict == FAIL) return -1;
    FINISH(verdict, int, REAL(renameat)(from_fd, from, to_fd, to));
}

int unlink(const char *name) {
    int verdict = judge(NAMES, "unlink", name);
    if (verdict == FAIL) return -1;
    FINISH(verdict, int, REAL(unlink)(name));
}

int unlinkat(int fd, const char *name, int flags) {
    char path[PATH_MAX];
    int verdict = judge(NAMES, "unlinkat", fd == AT_FDCWD ? name : path_of(fd, path));
    if (verdict == FAIL) return -1;
    FINISH(verdict, int, REAL(unlinkat)(fd, name, flags));
}

int mkdir(const char *name, mode_t mode) {
    int verdict = judge(NAMES, "mkdir", name);
    if (verdict == FAIL) return -1;
    FINISH(verdict, int, REAL(mkdir)(name, mode));
}

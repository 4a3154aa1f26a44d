/* Answers some system calls below ODD_FOLDER with the error ODD_ERRNO, as file systems of shares do. ODD_CALLS: d syncing a
   folder, f syncing a file, c changing modes, l locks, m shared memory. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int refuses(char call) {
  const char *calls = getenv("ODD_CALLS"), *code = getenv("ODD_ERRNO");
  if (!calls || !code || !strchr(calls, call)) return 0;
  errno = atoi(code);
  return 1;
}

static int below(const char *path) {
  const char *folder = getenv("ODD_FOLDER");
  return folder && !strncmp(path, folder, strlen(folder));
}

static int opened_below(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return below(path);
}

static int is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_GETLK || command == F_OFD_SETLK;
}

int fcntl(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *value = va_arg(rest, void *);
  va_end(rest);
  if (is_lock(command) && opened_below(fd) && refuses('l')) return -1;
  return NEXT(fcntl)(fd, command, value);
}
int fcntl64(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *value = va_arg(rest, void *);
  va_end(rest);
  return fcntl(fd, command, value);
}
void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  if (fd >= 0 && (flags & MAP_SHARED) && opened_below(fd) && refuses('m')) return MAP_FAILED;
  return NEXT(mmap)(at, length, protection, flags, fd, offset);
}
void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap(at, length, protection, flags, fd, offset);
}
int fsync(int fd) {
  struct stat found;
  if (opened_below(fd) && fstat(fd, &found) == 0 && refuses(S_ISDIR(found.st_mode) ? 'd' : 'f')) return -1;
  return NEXT(fsync)(fd);
}
int chmod(const char *path, mode_t mode) { return below(path) && refuses('c') ? -1 : NEXT(chmod)(path, mode); }
int fchmod(int fd, mode_t mode) { return opened_below(fd) && refuses('c') ? -1 : NEXT(fchmod)(fd, mode); }

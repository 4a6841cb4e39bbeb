// Preloaded into a process: once the file named by FAIL_SYNC_WHEN is there, no sync succeeds any more.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int failing(void) {
  const char *trigger = getenv("FAIL_SYNC_WHEN");
  return trigger != NULL && access(trigger, F_OK) == 0;
}

int fdatasync(int fd) {
  if (!failing()) return 0;
  (void)fd;
  errno = EIO;
  return -1;
}

int fsync(int fd) { return fdatasync(fd); }

int msync(void *address, size_t length, int flags) {
  (void)address;
  (void)length;
  (void)flags;
  return fdatasync(-1);
}

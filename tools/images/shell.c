/* /bin/sh of the busybox image. Debian's busybox ash drops variables whose names are no identifiers (data-1), which the suite sets
   and reads back; bash keeps them. So: bash where there is such a name, else ash. */
#include <ctype.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
  (void)argc;
  for (char **entry = environ; *entry; entry++) {
    for (char *at = *entry; *at && *at != '='; at++) {
      if (!isalnum((unsigned char)*at) && *at != '_') {
        execv("/bin/bash", argv);
        return 127;
      }
    }
  }
  execv("/bin/busybox", argv);
  return 127;
}

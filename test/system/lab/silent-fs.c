/*
 * A file system that an ordinary user serves and that never answers: silent-fs POINT OPTIONS. It is mounted by fusermount3, as every
 * user may, reads each question, and keeps silent: whoever looks waits, beyond SIGKILL, until this process ends. Prints "silent"
 * once it is mounted.
 */
#include <linux/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char question[1 << 20];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

/* fusermount3 opens /dev/fuse, mounts, and passes the descriptor back over the socket that _FUSE_COMMFD names. */
static int mounted(const char *point, const char *options) {
  int ends[2], device;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) fail("socketpair");
  if (fork() == 0) {
    char number[16];
    snprintf(number, sizeof number, "%d", ends[0]);
    setenv("_FUSE_COMMFD", number, 1);
    execlp("fusermount3", "fusermount3", "-o", options, "--", point, (char *)NULL);
    fail("fusermount3");
  }
  close(ends[0]);
  char byte, room[CMSG_SPACE(sizeof device)];
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  if (recvmsg(ends[1], &message, 0) <= 0 || !CMSG_FIRSTHDR(&message)) exit(1);
  memcpy(&device, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof device);
  wait(NULL);
  return device;
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  int device = mounted(argv[1], argv[2]);
  if (read(device, question, sizeof question) < 0) fail("read");
  struct {
    struct fuse_out_header header;
    struct fuse_init_out body;
  } answer = {.header = {.len = sizeof answer, .unique = ((struct fuse_in_header *)question)->unique},
              .body = {.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_write = 4096}};
  if (write(device, &answer, sizeof answer) < 0) fail("write");
  puts("silent");
  fflush(stdout);
  while (read(device, question, sizeof question) > 0) {}
  return 0;
}

/*
 * Runs in place of a unit's program, inside that unit's sandbox, and tells what it came by: `KEY VALUE`, a line each. What it tries
 * would do no harm where it is allowed: it signals with 0, opens for writing without writing, and removes what it makes.
 *     probe PID_OF_ANOTHER_USER PID_OF_ROOT ADDRESS PORT_THERE PORT_OF_LOOPBACK
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static void tell(const char *key, long result) {
  printf("%s %s\n", key, result >= 0 ? "allowed" : strerrorname_np(errno));
}

static void tell_status(void) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[512];
  while (status && fgets(line, sizeof line, status)) {
    char key[64], value[448];
    if (sscanf(line, "%63[A-Za-z_]:\t%447[^\n]", key, value) != 2) continue;
    if (!strncmp(key, "Cap", 3) || !strcmp(key, "NoNewPrivs") || !strcmp(key, "Seccomp")) printf("%s %s\n", key, value);
  }
  if (status) fclose(status);
  printf("uid %d\n", (int)getuid());
}

static void tell_interfaces(void) {
  FILE *devices = fopen("/proc/self/net/dev", "r");
  char line[512], name[64];
  while (devices && fgets(line, sizeof line, devices))
    if (strchr(line, ':') && sscanf(line, " %63[^:]", name) == 1) printf("interface %s\n", name);
  if (devices) fclose(devices);
}

static void try_sockets(void) {
  tell("socket-inet", socket(AF_INET, SOCK_STREAM, 0));
  tell("socket-inet6", socket(AF_INET6, SOCK_STREAM, 0));
  tell("socket-netlink", socket(AF_NETLINK, SOCK_RAW, 0));
  tell("socket-packet", socket(AF_PACKET, SOCK_RAW, 0));
  tell("socket-unix", socket(AF_UNIX, SOCK_STREAM, 0));
  struct sockaddr_un manager = {AF_UNIX, "/run/systemd/private"};
  tell("reach-manager", connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&manager, sizeof manager));
}

/* A ring takes orders that no filter of calls sees: sockets among them. */
static void try_rings(void) {
  char parameters[120] = {0};
  long ring = syscall(SYS_io_uring_setup, 1, parameters);
  tell("make-ring", ring);
  /* Where there is a ring, both do nothing that is wrong; without one EBADF says that the call itself is open. */
  tell("enter-ring", syscall(SYS_io_uring_enter, ring, 0, 0, 0, NULL, 0));
  char probe[16 + 8 * 8] = {0};
  tell("register-ring", syscall(SYS_io_uring_register, ring, 8, probe, 8));
  if (ring >= 0) close(ring);
}

static void try_connection(const char *key, const char *address, const char *port) {
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(atoi(port)), .sin_addr.s_addr = inet_addr(address)};
  tell(key, connection < 0 ? connection : connect(connection, (struct sockaddr *)&there, sizeof there));
}

static void try_kernel(void) {
  char nothing[1] = {0};
  struct timeval now;
  gettimeofday(&now, NULL);
  tell("load-module", syscall(SYS_init_module, nothing, 0, ""));
  tell("load-module-file", syscall(SYS_finit_module, 0, "", 0));
  tell("unload-module", syscall(SYS_delete_module, "none-of-this-name", O_NONBLOCK));
  tell("kexec", syscall(SYS_kexec_load, 0, 0, NULL, 0));
  tell("bpf", syscall(SYS_bpf, 0, NULL, 0));
  tell("perf", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
  tell("mount", mount("none", "/tmp", "tmpfs", 0, NULL));
  tell("unmount", umount2("/tmp", MNT_DETACH));
  tell("pivot-root", syscall(SYS_pivot_root, ".", "."));
  tell("chroot", chroot("/"));
  tell("new-user-namespace", unshare(CLONE_NEWUSER));
  tell("new-mount-namespace", unshare(CLONE_NEWNS));
  tell("new-network-namespace", unshare(CLONE_NEWNET));
  tell("join-namespace", setns(open("/proc/self/ns/net", O_RDONLY), 0));
  tell("swap", swapoff("/none"));
  tell("reboot", syscall(SYS_reboot, 0, 0, 0, NULL));
  tell("set-clock", settimeofday(&now, NULL));
  tell("set-hostname", sethostname("agent-host", 10));
  tell("kernel-log", syscall(SYS_syslog, 10, NULL, 0));
  tell("open-by-handle", syscall(SYS_open_by_handle_at, AT_FDCWD, nothing, O_RDONLY));
  tell("personality", personality(ADDR_NO_RANDOMIZE));
  struct sched_param first = {1};
  tell("realtime", sched_setscheduler(0, SCHED_FIFO, &first));
}

static void try_others(pid_t stranger, pid_t root) {
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
  tell("trace", ptrace(PTRACE_ATTACH, stranger, NULL, NULL));
  tell("read-memory", process_vm_readv(stranger, &here, 1, &there, 1, 0));
  tell("signal-another-user", kill(stranger, 0));
  tell("signal-root", kill(root, 0));
  tell("become-nobody", syscall(SYS_setuid, 65534));
}

static void try_files(const char *directory) {
  char path[4096];
  tell("see-tmp-of-others", access("/tmp/witness", F_OK));
  tell("see-home-of-root", access("/root/listen.pl", F_OK));
  snprintf(path, sizeof path, "%s/probe-file", directory);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  tell("give-away", fchown(file, 1, 1));
  tell("set-uid-bit", fchmod(file, 04700));
  close(file);
  unlink(path);
  snprintf(path, sizeof path, "%s/probe-device", directory);
  tell("make-device", mknod(path, S_IFBLK | 0600, makedev(7, 0)));
  unlink(path);
}

/* What a process may do to itself is its own affair. */
static int is_process(const char *path) {
  if (strncmp(path, "/proc/", 6)) return 0;
  return atoi(path + 6) > 0 || !strcmp(path + 6, "self") || !strcmp(path + 6, "thread-self");
}

/* At every place: can a file be made in this directory, can this file be written, can it be read although not everyone may? */
static int visit(const char *path, const struct stat *found, int type, struct FTW *at) {
  (void)at;
  if (is_process(path)) return FTW_SKIP_SUBTREE;
  if (type == FTW_D || type == FTW_DNR) {
    char made[4200];
    snprintf(made, sizeof made, "%s/probe-made", path);
    int file = open(made, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file >= 0) {
      printf("may-make-files-in %s\n", path);
      close(file);
      unlink(made);
    }
    return FTW_CONTINUE;
  }
  if (type != FTW_F || S_ISFIFO(found->st_mode) || S_ISSOCK(found->st_mode)) return FTW_CONTINUE;
  int file = open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  if (file >= 0) {
    printf("may-write %s\n", path);
    close(file);
  }
  if (found->st_mode & S_IROTH || found->st_uid == getuid() || !S_ISREG(found->st_mode)) return FTW_CONTINUE;
  file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  if (file >= 0) {
    printf("may-read-secret %s\n", path);
    close(file);
  }
  return FTW_CONTINUE;
}


int main(int argc, char **argv) {
  if (argc != 6) return 64;
  const char *own = getenv("RUNTIME_DIRECTORY") ? getenv("RUNTIME_DIRECTORY") : getenv("STATE_DIRECTORY");
  tell_status();
  tell_interfaces();
  try_sockets();
  try_rings();
  try_connection("connect-channel", argv[3], argv[4]);
  try_connection("connect-loopback", "127.0.0.1", argv[5]);
  try_files(own ? own : "/run");
  nftw("/", visit, 64, FTW_PHYS | FTW_ACTIONRETVAL);
  try_others(atoi(argv[1]), atoi(argv[2]));
  /* Last: in namespaces of its own, everything looks otherwise. */
  try_kernel();
  return 0;
}

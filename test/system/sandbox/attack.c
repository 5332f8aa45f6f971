/*
 * What code can reach that runs in the place of a unit's own program, in its sandbox and as its user: each attempt is one line,
 * `PLACE ATTEMPT reached` or `PLACE ATTEMPT refused WHY`, in the journal under the name "attack": everybody may write there, also
 * whoever's output is read by somebody else. What is reached does no harm, and what is made is removed.
 *     attack PLACE PID_OF_ANOTHER_USER PID_OF_ROOT
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/vm_sockets.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

static const char *place;

static void tell(const char *attempt, long result) {
  if (result >= 0) syslog(LOG_NOTICE, "%s %s reached", place, attempt);
  else syslog(LOG_NOTICE, "%s %s refused %s", place, attempt, strerrorname_np(errno));
}

/* A program of the host's, and whether it succeeded. */
static void run(const char *attempt, char *const argv[]) {
  char *environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", NULL};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (int file = 0; file < 3; file++) posix_spawn_file_actions_addopen(&quiet, file, "/dev/null", O_RDWR, 0);
  pid_t child;
  int status = 0;
  setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
  errno = posix_spawnp(&child, argv[0], &quiet, NULL, argv, environment);
  if (errno != 0) return tell(attempt, -1);
  waitpid(child, &status, 0);
  if (status == 0) tell(attempt, 0);
  else syslog(LOG_NOTICE, "%s %s refused status=%d", place, attempt, status);
}

static void orders(void) {
  run("start-unit", (char *[]){"systemctl", "--no-ask-password", "start", "attack-witness.service", NULL});
  run("start-unit-by-bus", (char *[]){"busctl", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                                      "org.freedesktop.systemd1.Manager", "StartUnit", "ss", "attack-witness.service", "replace", NULL});
  run("run-through-manager", (char *[]){"systemd-run", "--no-ask-password", "--wait", "--collect", "--quiet", "true", NULL});
  run("reload-manager", (char *[]){"systemctl", "--no-ask-password", "daemon-reload", NULL});
}

static void connect_to(const char *attempt, const char *path) {
  struct sockaddr_un there = {.sun_family = AF_UNIX};
  snprintf(there.sun_path, sizeof there.sun_path, "%s", path);
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  tell(attempt, connection < 0 ? connection : connect(connection, (struct sockaddr *)&there, sizeof there));
  close(connection);
}

/* Before systemd 250 everybody may connect to its own socket, and is then turned away. */
static void speak_to_manager(void) {
  struct sockaddr_un there = {AF_UNIX, "/run/systemd/private"};
  struct timeval longest = {2, 0};
  char uid[16], said[64] = {0}, greeting[64] = "\0AUTH EXTERNAL ";
  size_t length = 15;
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
  snprintf(uid, sizeof uid, "%d", (int)getuid());
  for (char *digit = uid; *digit; digit++) length += sprintf(greeting + length, "%02x", *digit);
  length += sprintf(greeting + length, "\r\n");
  int result = connect(connection, (struct sockaddr *)&there, sizeof there);
  if (result == 0) result = send(connection, greeting, length, MSG_NOSIGNAL) < 0 || recv(connection, said, sizeof said - 1, 0) < 0 ? -1 : 0;
  if (result == 0 && strncmp(said, "OK ", 3)) {
    errno = ECONNRESET;
    result = -1;
  }
  tell("speak-to-manager", result);
  close(connection);
}

static void write_to(const char *attempt, const char *directory) {
  char path[4096];
  snprintf(path, sizeof path, "%s/attack-made", directory);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  tell(attempt, file);
  if (file >= 0) unlink(path);
  close(file);
}

static void open_for(const char *attempt, const char *path, int how) {
  int file = open(path, how | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  tell(attempt, file);
  close(file);
}

/* What systemd lays over a file that is not to be seen may be opened, and is empty. */
static void read_from(const char *attempt, const char *path) {
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  char byte;
  ssize_t got = file < 0 ? -1 : read(file, &byte, 1);
  if (got == 0) errno = ENODATA;
  tell(attempt, got > 0 ? 0 : -1);
  close(file);
}

static void files(void) {
  write_to("write-etc", "/etc");
  write_to("write-usr", "/usr/bin");
  write_to("write-units", "/run/systemd/system");
  write_to("write-run", "/run");
  write_to("write-root", "/root");
  write_to("write-home", "/home/ordinary");
  write_to("write-shared-memory", "/dev/shm");
  write_to("write-roots-state", "/var/lib/svc-upgrade");
  write_to("write-own-state", "/var/lib/svc-upgrade-decide");
  write_to("write-own-tmp", "/tmp");
  open_for("change-passwd", "/etc/passwd", O_WRONLY);
  open_for("change-program", "/usr/bin/svc-upgrade", O_WRONLY);
  open_for("change-kernel", "/proc/sys/kernel/core_pattern", O_WRONLY);
  read_from("read-shadow", "/etc/shadow");
  read_from("read-host-key", "/etc/ssh/ssh_host_ed25519_key");
  read_from("read-home-of-root", "/root/secret");
  read_from("read-roots-settings", "/etc/svc-upgrade/60-secret.yaml");
  read_from("read-another-users", "/srv/ordinary-secret");
  read_from("see-tmp-of-others", "/tmp/witness");
}

static void fill_tmp(void) {
  static char megabyte[1 << 20];
  int file = open("/tmp/attack-fill", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  ssize_t written = file < 0 ? -1 : write(file, megabyte, sizeof megabyte);
  if (written >= 0 && written < (ssize_t)sizeof megabyte) {
    errno = EFBIG;
    written = -1;
  }
  tell("fill-tmp", written);
  close(file);
  unlink("/tmp/attack-fill");
}

/* Where it may write at all, so that only the rule in question says no. */
static void own_files(void) {
  int file = open("/tmp/attack-file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  tell("make-setuid-file", fchmod(file, 04700));
  tell("give-file-away", fchown(file, 65534, 65534));
  tell("make-device", mknod("/tmp/attack-device", S_IFBLK | 0600, makedev(7, 0)));
  const char *states[] = {"/var/lib/svc-upgrade-decide/attack-link", "/var/lib/svc-upgrade/attack-link"};
  int linked = link("/etc/passwd", states[0]) == 0 || link("/etc/passwd", states[1]) == 0 ? 0 : -1;
  tell("hard-link-of-roots", linked);
  for (int each = 0; each < 2; each++) unlink(states[each]);
  close(file);
  unlink("/tmp/attack-file");
  unlink("/tmp/attack-device");
}

static void try_socket(const char *attempt, int family, int type) {
  int made = socket(family, type | SOCK_CLOEXEC, 0);
  tell(attempt, made);
  close(made);
}

static void networks(void) {
  char parameters[120] = {0};
  try_socket("inet", AF_INET, SOCK_STREAM);
  try_socket("inet6", AF_INET6, SOCK_STREAM);
  try_socket("netlink", AF_NETLINK, SOCK_RAW);
  try_socket("packet", AF_PACKET, SOCK_RAW);
  try_socket("vsock", AF_VSOCK, SOCK_STREAM);
  tell("io_uring", syscall(SYS_io_uring_setup, 1, parameters));
}

/* In a child: whoever really becomes another one stays that. */
static void become(const char *attempt, uid_t uid) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit(syscall(SYS_setresuid, uid, uid, uid) == 0 ? 0 : errno);
  waitpid(child, &status, 0);
  errno = WEXITSTATUS(status);
  tell(attempt, status == 0 ? 0 : -1);
}

static void others(pid_t stranger, pid_t root) {
  char path[64];
  tell("signal-manager", kill(1, 0));
  tell("signal-roots-process", kill(root, 0));
  tell("signal-another-users", kill(stranger, 0));
  tell("trace-roots-process", ptrace(PTRACE_SEIZE, root, NULL, NULL));
  tell("trace-another-users", ptrace(PTRACE_SEIZE, stranger, NULL, NULL));
  snprintf(path, sizeof path, "/proc/%d/environ", root);
  read_from("read-roots-environment", path);
  become("become-root", 0);
  become("become-another-user", 65534);
}

static void kernel(void) {
  struct rlimit core = {1 << 20, 1 << 20}, most;
  getrlimit(RLIMIT_CORE, &most);
  errno = EPERM;
  tell("core-file", most.rlim_max > 0 && (most.rlim_max == RLIM_INFINITY || most.rlim_max >= core.rlim_max) ? 0 : -1);
  tell("mount", mount("none", "/tmp", "tmpfs", 0, NULL));
  tell("unmount", umount2("/tmp", MNT_DETACH));
  tell("load-module", syscall(SYS_init_module, "", 0, ""));
  tell("bpf", syscall(SYS_bpf, 0, NULL, 0));
  tell("join-namespace", setns(open("/proc/self/ns/mnt", O_RDONLY), 0));
  tell("new-network-namespace", unshare(CLONE_NEWNET));
  tell("new-mount-namespace", unshare(CLONE_NEWNS));
  tell("new-user-namespace", unshare(CLONE_NEWUSER));
  tell("chroot", chroot("/tmp"));
}

/* Started as a setuid program of root's: whether that gave it what root may. */
static int has_gained(void) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  unsigned long long effective = 0;
  while (status && fgets(line, sizeof line, status)) sscanf(line, "CapEff: %llx", &effective);
  return effective >> 21 & 1;
}

int main(int argc, char **argv) {
  if (argc == 2) return !has_gained();
  if (argc != 4) return 64;
  place = argv[1];
  signal(SIGXFSZ, SIG_IGN);
  openlog("attack", LOG_NDELAY, LOG_USER);
  orders();
  speak_to_manager();
  connect_to("connect-roots-socket", "/run/attack-witness.socket");
  connect_to("connect-acting-unit", "/run/svc-upgrade-act.socket");
  connect_to("connect-asking-unit", "/run/svc-upgrade-ask.socket");
  files();
  fill_tmp();
  own_files();
  run("gain-by-setuid-program", (char *[]){"/usr/local/bin/attack-setuid", "gained", NULL});
  networks();
  others(atoi(argv[2]), atoi(argv[3]));
  /* Last: in namespaces of its own, everything looks otherwise. */
  kernel();
  syslog(LOG_NOTICE, "%s end", place);
  /* What the agent says of its version, for whoever asked. */
  puts("15.4.5");
  return 0;
}

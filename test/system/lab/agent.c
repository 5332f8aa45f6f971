/*
 * The stand-in agent: a real executable image, so that what runs and what is installed can be told apart.
 * Compiled once per version and behaviour; see agent.ts for what the macros mean.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RELOAD_EXEC 1   /* SIGHUP: this process becomes the installed file */
#define RELOAD_FORK 2   /* SIGHUP: a child becomes the installed file, takes the pid file over, and this process ends */
#define RELOAD_REREAD 3 /* SIGHUP: only the configuration is read again; the old code runs on */
#define START_RUNS 1
#define START_CRASHES 2
#define START_CRASHES_LATER 3
#define START_CRASHES_LATE 4

#define INSTALLED "/usr/bin/svc"
#define SHELL_FIFO "/run/svc.shell" /* each line is run by a shell that is a child of the agent: what an admin's session is */
#define CRASH_AFTER_MS (START == START_CRASHES_LATE ? 10000 : 2000)
#define CRASHES (START == START_CRASHES_LATER || START == START_CRASHES_LATE)

static const char *option(int argc, char **argv, const char *name) {
  size_t length = strlen(name);
  for (int i = 2; i < argc; i++) {
    if (strncmp(argv[i], name, length)) continue;
    if (argv[i][length] == '=') return argv[i] + length + 1;
    if (argv[i][length] == 0 && i + 1 < argc) return argv[i + 1];
  }
  return NULL;
}

static void say(const char *what) {
  printf("INFO %s version=%s pid=%d\n", what, VERSION, (int)getpid());
  fflush(stdout);
}

static void read_configuration(const char *path) {
  struct stat found;
  if (path && !stat(path, &found)) printf("INFO read configuration path=%s bytes=%ld\n", path, (long)found.st_size);
  else printf("INFO no configuration, going on without\n");
  fflush(stdout);
}

static void take_pid_file(const char *path) {
  if (!path) return;
  FILE *file = fopen(path, "w");
  if (!file) { perror(path); exit(1); }
  fprintf(file, "%d\n", (int)getpid());
  fclose(file);
}

static void unblock(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void become_installed(char **argv) {
  say("starting the installed file over");
  unblock();
  execv(INSTALLED, argv);
  perror(INSTALLED);
}

/* The lines of one write; a writer keeps to one line at a time. */
static void run_lines(int fifo) {
  char lines[4096];
  ssize_t length = read(fifo, lines, sizeof lines - 1);
  if (length <= 0) return;
  lines[length] = 0;
  for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
    if (fork()) continue;
    unblock();
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
  }
}

static void reload(char **argv, const char *configuration) {
  if (RELOAD == RELOAD_EXEC) become_installed(argv);
  if (RELOAD == RELOAD_FORK) {
    if (fork() == 0) { become_installed(argv); _exit(1); }
    /* The child is to own the pid file before this process ends: systemd then follows it as the main process. */
    usleep(300 * 1000);
    say("handed over");
    exit(0);
  }
  read_configuration(configuration);
  say("reloaded");
}

static int start(int argc, char **argv) {
  const char *configuration = option(argc, argv, "--config");
  if (START == START_CRASHES) {
    fprintf(stderr, "ERROR cannot start version=%s\n", VERSION);
    return 1;
  }
  sigset_t handled;
  sigemptyset(&handled);
  sigaddset(&handled, SIGHUP);
  sigaddset(&handled, SIGTERM);
  sigaddset(&handled, SIGINT);
  sigprocmask(SIG_BLOCK, &handled, NULL);
  signal(SIGCHLD, SIG_DFL);
  int signals = signalfd(-1, &handled, SFD_CLOEXEC);
  mkfifo(SHELL_FIFO, 0600);
  int fifo = open(SHELL_FIFO, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  take_pid_file(option(argc, argv, "--pid-file"));
  read_configuration(configuration);
  say("started");

  struct pollfd watched[2] = {{signals, POLLIN, 0}, {fifo, POLLIN, 0}};
  for (;;) {
    int ready = poll(watched, 2, CRASHES ? CRASH_AFTER_MS : 1000);
    while (waitpid(-1, NULL, WNOHANG) > 0);
    if (ready == 0 && CRASHES) {
      fprintf(stderr, "ERROR lost its footing version=%s\n", VERSION);
      return 1;
    }
    if (watched[1].revents & POLLIN) run_lines(fifo);
    if (!(watched[0].revents & POLLIN)) continue;
    struct signalfd_siginfo came;
    if (read(signals, &came, sizeof came) != sizeof came) continue;
    if (came.ssi_signo == SIGHUP) { reload(argv, configuration); continue; }
    say("stopping");
    return 0;
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "version")) {
    printf("Svc Enterprise v%s git:v%s-0-gabcdef go1.21\n", VERSION, VERSION);
    return 0;
  }
  if (argc > 1 && !strcmp(argv[1], "start")) return start(argc, argv);
  fprintf(stderr, "usage: svc version | svc start --config FILE --pid-file=FILE\n");
  return 64;
}

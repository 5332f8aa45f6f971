import { planted } from "./play.ts";

/** A poisoned place to type a command in. */
export type Place = {
  readonly title: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A shell's words before the command, which is `"$@"`. */
  readonly before?: string;
  /** After the command: what becomes of its streams. */
  readonly after?: string;
};

/** Every program that a pass, a dry run or the looking commands start, and some that a tool may start in its turn. */
const programs: readonly string[] = [
  "apt-cache apt-config apt-get apt-mark dpkg dpkg-query flock id journalctl less pager sh svc systemctl systemd-run",
  "dnf rpm yum zypper",
].flatMap((names) => names.split(" "));

const trap = "/tmp/trap";

/** A directory of programs, a script, a locale and a library that each leave their mark when they run. */
export const layTraps: string = `mkdir -p ${trap}
for name in ${programs.join(" ")}; do printf '#!/bin/sh\\necho %s >>${planted}\\n' $name >${trap}/$name; chmod 0755 ${trap}/$name; done
echo 'require("fs").appendFileSync("${planted}", "script")' >${trap}/script.cjs
echo 'system("echo perl >>${planted}"); 1;' >${trap}/Trap.pm
echo 'echo shell >>${planted}' >${trap}/shell`;

const loaders = {
  NODE_OPTIONS: `--require ${trap}/script.cjs`,
  NODE_PATH: trap,
  NODE_EXTRA_CA_CERTS: "/etc/shadow",
  NODE_V8_COVERAGE: `${trap}/coverage`,
  BASH_ENV: `${trap}/shell`,
  ENV: `${trap}/shell`,
  PERL5OPT: "-MTrap",
  PERL5LIB: trap,
  PYTHONPATH: trap,
  PAGER: `${trap}/pager`,
  SYSTEMD_PAGER: `${trap}/pager`,
  LESSOPEN: `|${trap}/less %s`,
  APT_CONFIG: "/etc/shadow",
  DPKG_ADMINDIR: trap,
};

const tongues = { LC_ALL: "tr_TR.UTF-8", LANG: "de_DE", LANGUAGE: "fr", TZ: ":/etc/shadow", COLUMNS: "1" };

const pointers = {
  NOTIFY_SOCKET: "/run/nowhere",
  JOURNAL_STREAM: "1:1",
  LISTEN_FDS: "3",
  LISTEN_PID: "1",
  DBUS_SYSTEM_BUS_ADDRESS: "unix:path=/tmp/nowhere",
  TMPDIR: "/nowhere",
  HOME: "/nowhere",
  OPENSSL_CONF: "/nowhere",
  SSL_CERT_FILE: "/nowhere",
};

export const places: readonly Place[] = [
  { title: "a search path with programs of somebody else's", env: { PATH: `${trap}:/usr/bin` } },
  { title: "an empty search path", env: { PATH: "" } },
  { title: "variables that load code", env: loaders },
  { title: "other languages and another time", env: tongues },
  { title: "variables that lead nowhere", env: pointers },
  { title: "an umask that takes everything away", before: "umask 0777;" },
  { title: "an umask that leaves everything", before: "umask 0;" },
  { title: "no standard input", after: "<&-" },
  { title: "a directory that is gone", before: "mkdir /tmp/gone && cd /tmp/gone && rmdir /tmp/gone &&" },
  { title: "few files to open", before: "ulimit -n 64;" },
];

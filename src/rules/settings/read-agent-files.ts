import { quote } from "../text/quote.ts";
import { parsePath } from "./read-text.ts";
import { accepted, describe, refused, refusedAs, type SettingReading } from "../shape/reading.ts";
import type { ConfigKey, FileOnHost } from "./settings.ts";

/** The longest path that fits into a request to the asking unit. The request names the environment file. */
const longestPath = 1024;

/** Reads a path in only one spelling, so that its name alone shows where it is. */
export function readAgentFile(raw: unknown): SettingReading<FileOnHost> {
  const path = typeof raw === "string" ? parsePath(raw) : undefined;
  if (path === undefined || path.length > longestPath || /\/(?:\.{0,2})(?:\/|$)/.test(path)) return refused(raw);
  const closed = closedPlaces.find((place) => isWithin(path, place));
  return closed === undefined
    ? accepted({ onHost: path })
    : refusedAs([{ at: "", found: `${describe(raw)}, and ${closed} is closed to the updater's units` }]);
}

/** Reads the schedule's path. `enroll` gives its directory to the agent's user, who can then write anything there. */
export function readScheduleFile(raw: unknown): SettingReading<FileOnHost> {
  const file = readAgentFile(raw);
  if (file.kind === "refused") return file;
  const directory = file.value.onHost.replace(/\/[^/]+$/, "");
  const base = homesOfDirectories.find((home) => directory.startsWith(`${home}/`));
  const [first] = base === undefined ? [] : directory.slice(base.length + 1).split("/");
  const why = first === undefined ? "is not one for it alone" : "is the system's own";
  if (first !== undefined && !systemsOwn.includes(`${base}/${first}`)) return file;
  return refusedAs([
    { at: "", found: `${describe(raw)}, whose directory (${quote(directory === "" ? "/" : directory)}) ${why}` },
  ]);
}

/** Parses a key that has one name for each level: `acme.cluster.address`. */
export function parseConfigKey(text: string): ConfigKey | undefined {
  const isKey = /^[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){0,7}$/.test(text);
  return isKey ? (text.split(".") as readonly string[] as ConfigKey) : undefined;
}

export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/**
 * Directories that have no file of an agent, or that ProtectHome=, PrivateTmp=, InaccessiblePaths= and ReadOnlyPaths= close to the units. Files of
 * /proc and /sys are the kernel's.
 */
export const closedPlaces = [
  "/home",
  "/root",
  "/run",
  "/var/run",
  "/tmp",
  "/var/tmp",
  "/dev",
  "/proc",
  "/sys",
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/ssh",
  "/etc/ssl/private",
  "/etc/pki/tls/private",
  "/var/lib/private",
] as const;

/** Directories in which programs have directories of their own. */
const homesOfDirectories = ["/etc", "/opt", "/srv", "/usr/local/etc", "/var/lib", "/var/local", "/var/opt"] as const;

/**
 * Directories that must stay root's: a user who can write there decides what root runs, whom it trusts, or what is installed. Some are empty on a
 * fresh host.
 */
const systemsOwn: readonly string[] = [
  ...below(
    "/etc",
    "alternatives apparmor apparmor.d apt audit bash_completion.d binfmt.d ca-certificates cron.d cron.daily cron.hourly cron.monthly",
    "cron.weekly cron.yearly crypto-policies dbus-1 default depmod.d dnf dpkg environment.d grub.d gss init.d kernel ld.so.conf.d",
    "logrotate.d modprobe.d modules-load.d needrestart network NetworkManager pam.d pki polkit-1 profile.d rc.d rc0.d rc1.d rc2.d",
    "rc3.d rc4.d rc5.d rc6.d rcS.d rpm rsyslog.d security selinux skel ssl sudoers.d svc-proxy svc-upgrade sysconfig sysctl.d systemd",
    "sysusers.d tmpfiles.d udev update-motd.d X11 xdg xinetd.d yum yum.repos.d zypp",
  ),
  ...below(
    "/var/lib",
    "alternatives apt dbus dnf dpkg initramfs-tools misc NetworkManager pam polkit-1 rpm selinux sudo svc-proxy svc-upgrade",
    "svc-upgrade-decide systemd ucf yum zypp",
  ),
];

function below(home: string, ...names: readonly string[]): readonly string[] {
  return names
    .join(" ")
    .split(" ")
    .map((name) => `${home}/${name}`);
}

import type { Host } from "./lab/host.ts";

const notOurs = [
  "/proc",
  "/sys",
  "/dev",
  "/tmp",
  "/var/tmp",
  "/run/systemd",
  "/run/log",
  "/var/log",
  "/var/lib/dpkg",
  "/var/lib/apt",
  "/var/lib/dnf",
  "/var/lib/zypp",
  "/run/zypp.pid",
  "/var/lib/rpm",
  "/var/cache",
];

/** Every path outside of what the package manager, the journal and the service manager write about themselves. */
export async function listing(host: Host): Promise<readonly string[]> {
  const pruned = notOurs.flatMap((path) => ["-path", path, "-prune", "-o"]);
  return (await host.mustRun(["find", "/", ...pruned, "-print"])).split("\n").filter((path) => path !== "/run/private");
}

export async function addedSince(host: Host, before: readonly string[]): Promise<readonly string[]> {
  const known = new Set(before);
  return (await listing(host)).filter((path) => !known.has(path));
}

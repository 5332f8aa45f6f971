import type { Family } from "./base.ts";
import type { Host } from "./host.ts";
import { packageVersion } from "./package.ts";
import type { ProgramResult } from "./program.ts";

/** What an admin of such a host types. A package version is `[EPOCH:]VERSION[-REVISION]`, an rpm's with its release. */
type Tools = {
  readonly refresh: readonly string[];
  readonly install: (name: string, version: string) => readonly string[];
  readonly downgrade: (name: string, version: string) => readonly string[];
  readonly remove: (name: string) => readonly string[];
  readonly installed: (name: string) => readonly string[];
};

const rpmInstalled = (name: string): readonly string[] => ["rpm", "-q", "--qf", "%{EVR}\\n", name];

const tools: Readonly<Record<Family, Tools>> = {
  apt: {
    refresh: ["apt-get", "update"],
    install: (name, version) => ["apt-get", "install", "-y", `${name}=${version}`],
    downgrade: (name, version) => ["apt-get", "install", "-y", "--allow-downgrades", `${name}=${version}`],
    remove: (name) => ["apt-get", "remove", "-y", name],
    installed: (name) => ["dpkg-query", "-W", "-f", "${Version}\\n", name],
  },
  yum: {
    refresh: ["yum", "-y", "makecache"],
    install: (name, version) => ["yum", "-y", "install", `${name}-${version}`],
    downgrade: (name, version) => ["yum", "-y", "downgrade", `${name}-${version}`],
    remove: (name) => ["yum", "-y", "remove", name],
    installed: rpmInstalled,
  },
  zypper: {
    refresh: ["zypper", "--non-interactive", "refresh", "--force"],
    install: (name, version) => ["zypper", "--non-interactive", "install", `${name}=${version}`],
    downgrade: (name, version) => ["zypper", "--non-interactive", "install", "--oldpackage", `${name}=${version}`],
    remove: (name) => ["zypper", "--non-interactive", "remove", name],
    installed: rpmInstalled,
  },
};

export async function refreshLists(host: Host): Promise<void> {
  await host.mustRun(tools[host.family].refresh);
}

/** Exactly that version, where none or an older one is installed. */
export async function installPackage(host: Host, name: string, version: string): Promise<void> {
  must(await tryInstall(host, name, version));
}

/** The same where it may well be refused. */
export function tryInstall(host: Host, name: string, version: string): Promise<ProgramResult> {
  return change(host, tools[host.family].install(name, packageVersion(host, version)));
}

export async function downgradePackage(host: Host, name: string, version: string): Promise<void> {
  must(await change(host, tools[host.family].downgrade(name, packageVersion(host, version))));
}

export async function removePackage(host: Host, name: string): Promise<void> {
  must(await change(host, tools[host.family].remove(name)));
}

/** As the host's package database has it. */
export async function installedPackage(host: Host, name: string): Promise<string> {
  return (await host.mustRun(tools[host.family].installed(name))).trim();
}

/** Throws away what the package manager has downloaded before. */
export async function emptyCaches(host: Host): Promise<void> {
  const argv = { apt: ["apt-get", "clean"], yum: ["yum", "clean", "packages"], zypper: ["zypper", "clean"] };
  await host.mustRun(argv[host.family]);
}

function change(host: Host, argv: readonly string[]): Promise<ProgramResult> {
  return host.run(argv, { env: { DEBIAN_FRONTEND: "noninteractive" } });
}

function must({ status, stdout, stderr }: ProgramResult): void {
  if (status !== 0) throw new Error(`the package manager ended with ${status}:\n${stdout}${stderr}`);
}

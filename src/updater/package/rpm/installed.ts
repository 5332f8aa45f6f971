import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { RunCommand } from "../../../machine/processes/command.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { wrappedVersion, type PackageVersion } from "../../../rules/version/wrapped.ts";
import { ended, type Ended } from "../call/result.ts";
import { rpmEnvironment } from "./environment.ts";
import { isOwnArchitecture, packageVersionOf } from "./version.ts";

/** Generous: rpm takes 10 ms. */
const queryTimeoutMs = 20_000;
/** Generous: reading every header of a large host, or a large file, takes seconds on a slow disk. */
export const readTimeoutMs = 60_000;

/** Where the database is, and how to ask it. */
export type RpmDatabase = {
  readonly run: RunCommand;
  /** "/" for the machine itself; otherwise an absolute path without a slash at the end. */
  readonly root: string;
};

/** Whether the manager's own list of locks holds the package. rpm itself has no holds. */
export type IsHeld = (name: PackageName, installed: PackageVersion) => boolean;

/** Asks rpm's database about the packages, and answers in their order. The same for every manager. */
export async function inspectRpm(
  database: RpmDatabase,
  names: readonly PackageName[],
  isHeld: IsHeld,
): Promise<readonly InstalledPackage[]> {
  const rows = await askRows(database, names);
  return names.map((name, at) => installedAs(name, rows[at] ?? [], isHeld));
}

function installedAs(name: PackageName, rows: readonly InstalledRow[], isHeld: IsHeld): InstalledPackage {
  const newest = rows.at(-1);
  if (newest === undefined) return { kind: "absent" };
  const packageVersion = packageVersionOf(newest);
  if (packageVersion === undefined) throw unreadableVersion(name, newest);
  return {
    kind: "present",
    packageVersion,
    version: wrappedVersion(packageVersion),
    // After a power cut during a transaction, both versions are installed.
    condition: rows.length === 1 || mayBeSeveral(name) ? "whole" : "half-way",
    isHeld: isHeld(name, packageVersion),
  };
}

export type InstalledRow = {
  readonly epoch: string;
  readonly version: string;
  readonly release: string;
  readonly architecture: string;
  /** The row's number in the database. A later row has a higher one, whatever the clock said. */
  readonly instance: number;
};

/** The instances of each package for this machine. The last written one comes last. */
export async function askRows(database: RpmDatabase, names: readonly string[]): Promise<readonly (readonly InstalledRow[])[]> {
  if (names.length === 0) return [];
  const format = "%{NAME}\\t%{EPOCHNUM}\\t%{VERSION}\\t%{RELEASE}\\t%{ARCH}\\t%{DBINSTANCE}\\n";
  const answer = await queryRpm(database, ["-q", "--qf", format, ...names]);
  return names.map((name) => installedRows(answer, name));
}

export async function queryRpm(
  { run, root }: RpmDatabase,
  args: readonly string[],
  timeoutMs: number = queryTimeoutMs,
): Promise<Ended> {
  return ended(await run({ argv: ["rpm", ...rpmRoot(root), ...args], env: rpmEnvironment, timeoutMs }), "rpm");
}

/** The option for another root. rpm then uses chroot, so it needs root's rights. */
export function rpmRoot(root: string): readonly string[] {
  return root === "/" ? [] : ["--root", root];
}

export function installedRows({ status, stdout, output }: Ended, name: string): readonly InstalledRow[] {
  // rpm reports that nothing is installed if it cannot open its database.
  if (/^(?:error|fatal error): /m.test(output)) throw unreadableDatabase(output);
  const rows = stdout.split("\n").flatMap((line) => parseRow(line, name));
  if (status !== 0 && rows.length === 0 && !output.includes(`package ${name} is not installed`)) throw unreadableDatabase(output);
  // Leaves out a package for an older architecture, which the agent's unit does not run.
  const own = rows.filter(({ architecture }) => isOwnArchitecture(architecture));
  return (own.length > 0 ? own : rows).toSorted((left, right) => left.instance - right.instance);
}

/** Checks the name, because rpm may read a name as another package's name and version. */
function parseRow(line: string, name: string): readonly InstalledRow[] {
  const [, found, epoch = "", version = "", release = "", architecture = "", instance = ""] =
    /^(\S+)\t(\d+)\t(\S+)\t(\S+)\t(\S+)\t(\d+)$/.exec(line) ?? [];
  if (found !== name) return [];
  return [{ epoch, version, release, architecture, instance: Number(instance) }];
}

export function unreadableDatabase(output: string): Fault {
  return new Fault("database-broken", {
    message: `rpm cannot read its database: ${quote(output, 200)}`,
    hint: "see `sudo rpm -qa`; `sudo rpmdb --rebuilddb` rebuilds its indexes",
  });
}

function unreadableVersion(name: PackageName, { version, release }: InstalledRow): Fault {
  return new Fault("package-unreadable", {
    message: `rpm says ${name} is installed in version "${quote(`${version}-${release}`)}", which is no version`,
    hint: `see \`rpm -qi ${name}\``,
  });
}

/** Whether the package may be installed several times, as kernels and keys are. */
export function mayBeSeveral(name: string): boolean {
  return /^(?:kernel|gpg-pubkey)(?:-|$)/.test(name);
}

import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { RunCommand } from "../../../machine/processes/command.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { wrappedVersion, type PackageVersion } from "../../../rules/version/wrapped.ts";
import { ended, type Ended } from "../call/result.ts";
import { rpmEnvironment } from "./environment.ts";
import { mayBeSeveral } from "./may-be-several.ts";
import { isOwnArchitecture, packageVersionOf } from "./version.ts";

/** rpm takes 10 ms. */
const queryTimeoutMs = 20_000;
/** Every header of a large host, or all of a large file, on a slow disk takes some seconds. */
export const readTimeoutMs = 60_000;

/** Where the database is, and how it is asked. */
export type RpmDatabase = {
  readonly run: RunCommand;
  /** "/" for the machine itself; else an absolute path without a slash at its end. */
  readonly root: string;
};

/** Whether the manager's own list of locks holds the package where it is: rpm itself knows no holds. */
export type IsHeld = (name: PackageName, installed: PackageVersion) => boolean;

/** What rpm's database says of the packages, in their order: the same for every manager above it. */
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
    // A power cut in the middle of a transaction leaves the version before and the one after, both as if they were installed.
    condition: rows.length === 1 || mayBeSeveral(name) ? "whole" : "half-way",
    isHeld: isHeld(name, packageVersion),
  };
}

export type InstalledRow = {
  readonly epoch: string;
  readonly version: string;
  readonly release: string;
  readonly architecture: string;
  /** The number under which it stands in the database: whatever the clock said, what was written later has a higher one. */
  readonly instance: number;
};

/** Of each package every installed instance for this machine, the one that was written last at the end. */
export async function askRows(database: RpmDatabase, names: readonly string[]): Promise<readonly (readonly InstalledRow[])[]> {
  if (names.length === 0) return [];
  const format = "%{NAME}\\t%{EPOCHNUM}\\t%{VERSION}\\t%{RELEASE}\\t%{ARCH}\\t%{DBINSTANCE}\\n";
  const answer = await queryRpm(database, ["-q", "--qf", format, ...names]);
  return names.map((name) => installedRows(answer, name));
}

/** A question to the database. */
export async function queryRpm(
  { run, root }: RpmDatabase,
  args: readonly string[],
  timeoutMs: number = queryTimeoutMs,
): Promise<Ended> {
  return ended(await run({ argv: ["rpm", ...rpmRoot(root), ...args], env: rpmEnvironment, timeoutMs }), "rpm");
}

/** rpm looks below another root from within it, and so needs root itself. */
export function rpmRoot(root: string): readonly string[] {
  return root === "/" ? [] : ["--root", root];
}

export function installedRows({ status, stdout, output }: Ended, name: string): readonly InstalledRow[] {
  // rpm says of a database that it cannot open that nothing is installed.
  if (/^(?:error|fatal error): /m.test(output)) throw unreadableDatabase(output);
  const rows = stdout.split("\n").flatMap((line) => parseRow(line, name));
  if (status !== 0 && rows.length === 0 && !output.includes(`package ${name} is not installed`)) throw unreadableDatabase(output);
  // The same package for an architecture of old may stand beside it, and is not what the agent's unit runs.
  const own = rows.filter(({ architecture }) => isOwnArchitecture(architecture));
  return (own.length > 0 ? own : rows).toSorted((left, right) => left.instance - right.instance);
}

/** What rpm takes for a name may be another package's name and version. */
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
    message: `rpm says ${name} is installed in version "${quote(`${version}-${release}`)}", which is none`,
    hint: `see \`rpm -qi ${name}\``,
  });
}

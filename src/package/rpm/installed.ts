import { Fault } from "../../fault/fault.ts";
import { quote } from "../../fault/quote.ts";
import type { RunCommand } from "../../host/command.ts";
import type { InstalledPackage } from "../../plan/facts.ts";
import type { PackageName } from "../../settings/settings.ts";
import { wrappedVersion, type PackageVersion } from "../../version/wrapped.ts";
import { ended, type Ended } from "../result.ts";
import { rpmEnvironment } from "./environment.ts";
import { isOwnArchitecture, packageVersionOf } from "./version.ts";

/** A question to the database: rpm takes 10 ms. */
const inspectTimeoutMs = 20_000;

/** Where the database is, and how it is asked. */
export type RpmDatabase = {
  readonly run: RunCommand;
  /** "/" for the machine itself; else an absolute path without a slash at its end. */
  readonly root: string;
};

/** Whether the manager's own list of locks holds the package where it is: rpm itself knows no holds. */
export type IsHeld = (name: PackageName, installed: PackageVersion) => boolean;

/** What rpm's database says of a package: the same for every manager above it. */
export async function inspectRpm(database: RpmDatabase, name: PackageName, isHeld: IsHeld): Promise<InstalledPackage> {
  const rows = await askRows(database, name);
  const newest = rows.at(-1);
  if (newest === undefined) return { kind: "absent" };
  const packageVersion = packageVersionOf(newest);
  if (packageVersion === undefined) throw unreadableVersion(name, newest);
  return {
    kind: "present",
    packageVersion,
    version: wrappedVersion(packageVersion),
    // A power cut in the middle of a transaction leaves the version before and the one after, both as if they were installed.
    condition: rows.length === 1 ? "whole" : "half-way",
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

/** Every installed instance of the package for this machine, the one that was written last at the end. */
export async function askRows({ run, root }: RpmDatabase, name: PackageName): Promise<readonly InstalledRow[]> {
  const argv = inspectArgv(name, root);
  return installedRows(ended(await run({ argv, env: rpmEnvironment, timeoutMs: inspectTimeoutMs }), argv[0]), name);
}

type Argv = readonly [string, ...string[]];

export function inspectArgv(name: PackageName, root: string): Argv {
  return ["rpm", ...rpmRoot(root), "-q", "--qf", "%{EPOCHNUM}\\t%{VERSION}\\t%{RELEASE}\\t%{ARCH}\\t%{DBINSTANCE}\\n", name];
}

/** rpm looks below another root from within it, and so needs root itself. */
export function rpmRoot(root: string): readonly string[] {
  return root === "/" ? [] : ["--root", root];
}

export function installedRows({ status, stdout, output }: Ended, name: PackageName): readonly InstalledRow[] {
  // rpm says of a database that it cannot open that nothing is installed.
  if (/^(?:error|fatal error): /m.test(output)) throw unreadableDatabase(output);
  const rows = stdout.split("\n").flatMap(parseRow);
  if (status !== 0 && rows.length === 0 && !output.includes(`package ${name} is not installed`)) throw unreadableDatabase(output);
  // The same package for an architecture of old may stand beside it, and is not what the agent's unit runs.
  const own = rows.filter(({ architecture }) => isOwnArchitecture(architecture));
  return (own.length > 0 ? own : rows).toSorted((left, right) => left.instance - right.instance);
}

function parseRow(line: string): readonly InstalledRow[] {
  const match = /^(\d+)\t(\S+)\t(\S+)\t(\S+)\t(\d+)$/.exec(line);
  if (match === null) return [];
  const [, epoch = "", version = "", release = "", architecture = "", instance = ""] = match;
  return [{ epoch, version, release, architecture, instance: Number(instance) }];
}

export function unreadableDatabase(output: string): Fault {
  return new Fault("database-broken", {
    message: `rpm cannot read its database: ${quote(output.trim(), 200)}`,
    hint: "see `sudo rpm -qa`; `sudo rpmdb --rebuilddb` makes its indexes anew",
  });
}

function unreadableVersion(name: PackageName, { version, release }: InstalledRow): Fault {
  return new Fault("package-unreadable", {
    message: `rpm says ${name} is installed in version "${quote(`${version}-${release}`)}", which is none`,
    hint: `see \`rpm -qi ${name}\``,
  });
}

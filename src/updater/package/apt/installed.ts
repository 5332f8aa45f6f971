import { databaseHint } from "./database.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { parsePackageVersion, wrappedVersion } from "../../../rules/version/wrapped.ts";
import type { Ended } from "../call/result.ts";

/** Reads `dpkg-query -W` in our format, with the name after each row. */
export function installedAmong(answer: Ended, names: readonly PackageName[]): readonly InstalledPackage[] {
  const rows = rowsOf(answer);
  return names.map((name) =>
    stateIn(
      rows.filter((row) => row.name === name),
      name,
    ),
  );
}

/**
 * Reads `dpkg-query -W` in our format. A row has the wanted state (h: hold), the actual state (i: installed, n: not, c: only configuration files, W
 * and t: installed except for triggers, others: half-installed), and R if a reinstallation is required.
 */
export function installedFrom(answer: Ended, name: PackageName): InstalledPackage {
  return stateIn(rowsOf(answer), name);
}

function stateIn(rows: readonly Row[], name: PackageName): InstalledPackage {
  const present = rows.find(isPresent);
  if (present === undefined) return { kind: "absent" };
  const packageVersion = parsePackageVersion(present.version);
  if (packageVersion === undefined) throw unreadableVersion(name, present.version);
  return {
    kind: "present",
    packageVersion,
    version: wrappedVersion(packageVersion),
    condition: configured.includes(present.is) && present.flag !== "R" ? "whole" : "half-way",
    isHeld: present.wanted === "h",
  };
}

/**
 * States of a package that has all its files and whose script succeeded. What else it waits for is the task of another package (W) or of dpkg's next
 * run (t); a reinstallation would only repeat its own.
 */
const configured: readonly string[] = ["i", "W", "t"];

/** Whether the package only has to be configured: U means not yet, F means that it failed or did not finish. */
export function awaitsConfiguration(answer: Ended): boolean {
  const present = rowsOf(answer).find(isPresent);
  return (present?.is === "U" || present?.is === "F") && present.flag !== "R";
}

/** Whether the row is an installed package. dpkg may know the package for several architectures. */
function isPresent({ is }: Row): boolean {
  return is !== "n" && is !== "c";
}

type Row = {
  readonly wanted: string;
  readonly is: string;
  readonly flag: string;
  readonly version: string;
  readonly name: string;
};

function rowsOf({ status, stdout, output }: Ended): readonly Row[] {
  // dpkg-query exits with 1 for an unknown package, and 2 if it cannot read its database.
  if (status !== 0 && !output.includes("no packages found matching")) throw unreadableDatabase(output);
  const rows = stdout.matchAll(/^([uihrp?])([ncHUFWti?])(.)\t([^\t\n]*)(?:\t(.*))?$/gm);
  return [...rows].map(([, wanted = "", is = "", flag = "", version = "", name = ""]) => ({ wanted, is, flag, version, name }));
}

function unreadableDatabase(output: string): Fault {
  return new Fault("database-broken", {
    message: `dpkg cannot read its database: ${quote(output, 200)}`,
    hint: databaseHint,
  });
}

function unreadableVersion(name: PackageName, version: string): Fault {
  return new Fault("package-unreadable", {
    message: `dpkg says ${name} is installed in version "${quote(version)}", which is no version`,
    hint: `see \`dpkg -s ${name}\``,
  });
}

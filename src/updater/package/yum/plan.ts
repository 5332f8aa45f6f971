import type { Planned } from "../manager/manager.ts";

/** What dnf says it would do, out of the table that it prints before it asks. */
export type YumPlan = { readonly changed: readonly PlannedPackage[]; readonly removed: readonly string[] };

export type PlannedPackage = Planned & { readonly how: "up" | "down" };

/** The end of a line whose row goes on in the next one; what a package takes the place of is a row of its own. */
const goesOn = /\n(?= {2,}(?!replacing )\S)/g;

/** Undefined: there is no plan in it, or one that was not understood to its end. */
export function parsePlan(output: string): YumPlan | undefined {
  const table = /^Dependencies resolved\.\n=+\n[^=]*\n=+\n([^]*?)\n\nTransaction Summary\n=+\n([^]*)/m.exec(output);
  if (table === null) return undefined;
  const [, rows = "", summary = ""] = table;
  const changed: PlannedPackage[] = [];
  const removed: string[] = [];
  let listed = 0;
  let section = "";
  for (const line of rows.replace(goesOn, " ").split("\n")) {
    section = /^(\S.*):$/.exec(line)?.[1] ?? section;
    // A name has one space before it; what does not fit into the table goes on below, further in.
    const [, name, rest = ""] = /^ (\S+)(?: |$)(.*)$/.exec(line) ?? [];
    // What another package takes the place of goes away as well.
    const replaced = /^ +replacing +(\S+)\.\S+ \S+$/.exec(line)?.[1];
    if (replaced !== undefined) removed.push(replaced);
    if (name === undefined) continue;
    if (section !== "Reinstalling") listed += 1;
    if (section.startsWith("Removing")) removed.push(name);
    else {
      const [architecture, version = ""] = rest.trim().split(/\s+/);
      changed.push({ name, version, architecture, how: section === "Downgrading" ? "down" : "up" });
    }
  }
  // A section of which this knows nothing, or a row that it overlooked, must not pass for an empty one.
  return listed === countIn(summary) ? { changed, removed } : undefined;
}

/** `Upgrade  1 Package`, a line for each kind; what is installed again is not counted. */
function countIn(summary: string): number {
  const counts = [...summary.matchAll(/^(?:Install|Upgrade|Remove|Downgrade) +(\d+) Packages?$/gm)];
  return counts.reduce((sum, match) => sum + Number(match[1]), 0);
}

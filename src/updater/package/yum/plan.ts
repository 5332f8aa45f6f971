import type { Planned } from "../manager/manager.ts";

/** What dnf would do, from the table that it prints before it asks. */
export type YumPlan = { readonly changed: readonly PlannedPackage[]; readonly removed: readonly string[] };

export type PlannedPackage = Planned & { readonly how: "up" | "down" };

/** A line break after which a row continues. A replaced package has its own row. */
const goesOn = /\n(?= {2,}(?!replacing )\S)/g;

/** Undefined without a plan, or if we do not understand every part of it. */
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
    // One space precedes a name; text that does not fit continues below, indented further.
    const [, name, rest = ""] = /^ (\S+)(?: |$)(.*)$/.exec(line) ?? [];
    // A package that another one replaces is removed too.
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
  // dnf's own counts show whether we missed a section or a row.
  return listed === countIn(summary) ? { changed, removed } : undefined;
}

/** Counts the packages in lines such as `Upgrade  1 Package`, one for each kind. dnf does not count reinstalled packages. */
function countIn(summary: string): number {
  const counts = [...summary.matchAll(/^(?:Install|Upgrade|Remove|Downgrade) +(\d+) Packages?$/gm)];
  return counts.reduce((sum, match) => sum + Number(match[1]), 0);
}

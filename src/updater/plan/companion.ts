import type { PackageName } from "../../rules/settings/settings.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { InstalledPackage } from "./host-facts.ts";

/** A package that moves along with the agent's: where it comes from, where it goes, and what is there. */
export type CompanionFound = {
  readonly name: PackageName;
  /** Undefined: it was not installed. */
  readonly from: PackageVersion | undefined;
  readonly to: PackageVersion;
  readonly found: InstalledPackage;
};

/** Which end of a move is meant. */
export type Side = "from" | "to";

/** Half-way, or at the other side of the move. What was added stays at a rollback, and what has gone on since is in its place. */
export function isElsewhere({ from, to, found }: CompanionFound, side: Side): boolean {
  if (found.condition === "half-way") return true;
  if (from === undefined && side === "from") return false;
  if (found.kind === "absent") return true;
  return from !== to && found.packageVersion === (side === "to" ? from : to);
}

/** A package whose file is kept with the agent's, and what the other side of the move has in its place. */
export type Kept = {
  readonly name: PackageName;
  readonly packageVersion: PackageVersion;
  readonly instead: PackageVersion | undefined;
};

export type Moved = { readonly companion: Kept; readonly found: PackageVersion | undefined };

/** One that is neither where the move has brought it, nor where it was: somebody has moved it since. */
export function movedSince(companions: readonly Kept[], found: readonly InstalledPackage[]): Moved | undefined {
  for (const [at, companion] of companions.entries()) {
    const there = found[at];
    if (there?.condition === "half-way") continue;
    const is = there?.packageVersion;
    if (is !== companion.instead && is !== companion.packageVersion) return { companion, found: is };
  }
  return undefined;
}

export function tellMoved({ companion: { name, instead }, found }: Moved): string {
  const is = found === undefined ? "is not installed any more" : `is at ${found} by now`;
  return `${name}, which had moved along, ${is}, and not ${instead === undefined ? "away" : `at ${instead}`} as the move left it`;
}

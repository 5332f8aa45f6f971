import type { PackageName } from "../../rules/settings/settings.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { InstalledPackage } from "./host-facts.ts";

/** A package that moves along with the agent's: its versions before and after the move, and the installed one. */
export type CompanionFound = {
  readonly name: PackageName;
  /** Undefined if it was not installed. */
  readonly from: PackageVersion | undefined;
  readonly to: PackageVersion;
  readonly found: InstalledPackage;
};

/** The version before a move, or the version after it. */
export type Side = "from" | "to";

/**
 * Whether the package is half-installed or at the other side of the move. A rollback leaves a package that the move added, and one that somebody has
 * moved since.
 */
export function isElsewhere({ from, to, found }: CompanionFound, side: Side): boolean {
  if (found.condition === "half-way") return true;
  if (from === undefined && side === "from") return false;
  if (found.kind === "absent") return true;
  return from !== to && found.packageVersion === (side === "to" ? from : to);
}

/** A package whose file is kept with the agent's, and its version at the other side of the move. */
export type Kept = {
  readonly name: PackageName;
  readonly packageVersion: PackageVersion;
  readonly instead: PackageVersion | undefined;
};

export type Moved = { readonly companion: Kept; readonly found: PackageVersion | undefined };

/** The first package at neither side of the move: somebody has moved it since. */
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

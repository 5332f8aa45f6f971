import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { isElsewhere, type CompanionFound, type Side } from "./companion.ts";
import type { Binary, InstalledPackage } from "./host-facts.ts";
import { damageIn } from "./target.ts";

/** "forth": to the wanted version. "back": to the one before it. */
export type Course = "forth" | "back";

/** What a pass finds of an unfinished move. */
export type Wreck = {
  /** Which movement the unfinished pass was carrying out. */
  readonly course: Course;
  readonly from: PackageVersion | undefined;
  readonly to: PackageVersion | undefined;
  readonly installed: InstalledPackage;
  /** The packages that move along. */
  readonly companions: readonly CompanionFound[];
  readonly binary: Binary;
  /** The versions whose packages are kept, so that no repository is needed. */
  readonly atHand: readonly PackageVersion[];
  /** Whether the hold and the window still allow a move. */
  readonly forthIs: "allowed" | "not allowed";
  /** How many passes have tried to end it, this one included. */
  readonly recoveries: number;
};

export type Recovery =
  /** The earlier version is installed and whole. */
  | { readonly kind: "unchanged" }
  /** The package is installed; only the later steps are left. */
  | { readonly kind: "finish"; readonly course: Course; readonly version: PackageVersion }
  | { readonly kind: "install"; readonly course: Course; readonly version: PackageVersion }
  /** No kept package repairs it. */
  | { readonly kind: "leave"; readonly needs: "a repository" | "a person"; readonly why: string };

/** A version that takes the host down during or after its installation is not tried again. */
const mostForth = 1;
/** After this many tries, neither version will stay installed. */
const mostRecoveries = 5;

/**
 * What to do, with the network or without. An installed package is not rolled back because its pass was cut off once: that would be a second change.
 * A half-installed package is repaired at once, window or not: to the new version if the move could still begin, otherwise to the old one.
 */
export function recoveryOf(wreck: Wreck): Recovery {
  const { course, from, to, atHand, recoveries } = wreck;
  const back = from !== undefined && atHand.includes(from) ? from : undefined;
  const isPatient = recoveries <= mostForth;
  if (course === "forth" && to !== undefined && isWholeAt("to", wreck) && (isPatient || back === undefined)) {
    return { kind: "finish", course, version: to };
  }
  if (isWholeAt("from", wreck)) {
    return course === "forth" || from === undefined ? { kind: "unchanged" } : { kind: "finish", course, version: from };
  }
  if (recoveries > mostRecoveries) {
    return { kind: "leave", needs: "a person", why: `${mostRecoveries} passes in a row did not finish repairing it` };
  }
  const forth = course === "forth" && to !== undefined && atHand.includes(to) ? to : undefined;
  const prefersForth = wreck.forthIs === "allowed" && isPatient;
  if (forth !== undefined && (prefersForth || back === undefined)) return { kind: "install", course: "forth", version: forth };
  if (back !== undefined) return { kind: "install", course: "back", version: back };
  return { kind: "leave", needs: "a repository", why: "no package is at hand that could be installed in its place" };
}

/** Whether all packages of the move are at that side, whole. */
export function isWholeAt(
  side: Side,
  { installed, binary, companions, ...versions }: Pick<Wreck, Side | "installed" | "companions" | "binary">,
): boolean {
  if (companions.some((companion) => isElsewhere(companion, side))) return false;
  const version = versions[side];
  return installed.packageVersion === version && damageIn(installed, binary) === undefined;
}

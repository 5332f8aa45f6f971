import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { isElsewhere, type CompanionFound, type Side } from "./companion.ts";
import type { Binary, InstalledPackage } from "./host-facts.ts";
import { damageIn } from "./target.ts";

/** "forth": to the version that a pass wanted. "back": to the one before it. */
export type Course = "forth" | "back";

/** What is found of a move that a pass began to carry out and did not end. */
export type Wreck = {
  /** Where that pass was going. */
  readonly course: Course;
  readonly from: PackageVersion | undefined;
  readonly to: PackageVersion | undefined;
  readonly installed: InstalledPackage;
  /** What moves along with it. */
  readonly companions: readonly CompanionFound[];
  readonly binary: Binary;
  /** The versions whose packages are at hand without a repository. */
  readonly atHand: readonly PackageVersion[];
  /** Whether a move could still begin: by the hold and the window. */
  readonly forthIs: "allowed" | "not allowed";
  /** How many passes have tried to end it, this one included. */
  readonly recoveries: number;
};

export type Recovery =
  /** The version before is there, whole. */
  | { readonly kind: "unchanged" }
  /** The package is in place; what follows an installation is still to be done. */
  | { readonly kind: "finish"; readonly course: Course; readonly version: PackageVersion }
  | { readonly kind: "install"; readonly course: Course; readonly version: PackageVersion }
  /** Nothing that is at hand repairs it. */
  | { readonly kind: "leave"; readonly needs: "a repository" | "a person"; readonly why: string };

/** A version that takes the host down, as it is installed or once it runs, is not given the chance again and again. */
const mostForth = 1;
/** Neither version can be brought to stay. */
const mostRecoveries = 5;

/**
 * What to do, with the network or without. A package that is in place is not taken back because it did not finish once: that would
 * be a second change. One that is half-way has to be repaired now, window or not: forth where a move could still begin, else back.
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

/** Whether all that moves is at that side of the move, whole. */
export function isWholeAt(
  side: Side,
  { installed, binary, companions, ...versions }: Pick<Wreck, Side | "installed" | "companions" | "binary">,
): boolean {
  if (companions.some((companion) => isElsewhere(companion, side))) return false;
  const version = versions[side];
  return installed.packageVersion === version && damageIn(installed, binary) === undefined;
}

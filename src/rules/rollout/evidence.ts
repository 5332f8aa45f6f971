import { isHostCode, faultTable } from "../fault/table.ts";
import type { UnixSeconds } from "../window/window.ts";
import { whyBlocked } from "./blocked.ts";
import type { Ended } from "./ended.ts";
import type { Evidence, HostEvidence } from "./host-evidence.ts";
import { namesTarget } from "./names-target.ts";
import type { Spec } from "./spec.ts";
import { standingOf, type Status } from "./status.ts";

export type Verdict =
  | { readonly kind: "proven" | "moving" | "failed" | "silent" | "waiting" }
  | { readonly kind: "blocked"; readonly why: string };

const proven: Verdict = { kind: "proven" };
const moving: Verdict = { kind: "moving" };
const failed: Verdict = { kind: "failed" };
const silent: Verdict = { kind: "silent" };
const waiting: Verdict = { kind: "waiting" };

/** What the verdicts about all hosts have in common. */
export type Judging = Pick<Spec, "proveSeconds" | "silentSeconds"> &
  Pick<Evidence, "secondsSince"> & {
    readonly isTarget: (version: string) => boolean;
    /** A host that was told the target before this time and has not moved is late: it has missed two windows. */
    readonly lateBefore: UnixSeconds;
  };

export function judgingBy(spec: Spec, status: Status, { secondsSince, twoWindowsAgo }: Evidence): Judging {
  const { target, proveSeconds, silentSeconds } = spec;
  const lateBefore = lateBeforeIn(status, twoWindowsAgo) ?? -Infinity;
  return { proveSeconds, silentSeconds, secondsSince, lateBefore, isTarget: namesTarget(target) };
}

/** While a rollout is paused or halted, no host may move, so none is late. */
function lateBeforeIn(status: Status, twoWindowsAgo: Evidence["twoWindowsAgo"]): UnixSeconds | undefined {
  const { kind } = standingOf(status);
  const isTold = kind === "moving" || kind === "done";
  return isTold && (status.resumed ?? -Infinity) < (twoWindowsAgo ?? -Infinity) ? twoWindowsAgo : undefined;
}

/** `told`: when the host was told the target; undefined if it has not been. */
export function judge(
  { updater, reported, goodbye, isShared }: HostEvidence,
  told: UnixSeconds | undefined,
  by: Judging,
): Verdict {
  if (isShared) return blocked("shared-id");
  if (reported === undefined) return blocked("silent");
  if (updater === undefined) return blocked("no-updater");
  const { step } = updater;
  const ended = updater.ended !== undefined && by.isTarget(updater.ended.version) ? updater.ended : undefined;
  if (told !== undefined && ended !== undefined && isVersionsFault(ended) && ended.at > told) return failed;
  const isThere = step === undefined && by.isTarget(updater.installed);
  const moved = ended?.kind === "moved" ? ended.at : undefined;
  const there = moved ?? told ?? 0;
  if (told !== undefined && isThere && isWithin(updater.unhealthySince, there, by.proveSeconds)) return failed;
  if (isThere && reported - there >= by.proveSeconds) return proven;
  const quiet = by.secondsSince(reported);
  if (quiet > by.silentSeconds) {
    const wasSilent = told === undefined || quiet - by.secondsSince(told) > by.silentSeconds;
    // A bad version may stop the host's reports. A host that fell silent outside of a move may only be switched off.
    const isAtFault = !wasSilent && !goodbye && (step !== undefined || (isThere && moved !== undefined));
    return isAtFault ? silent : blocked("silent");
  }
  if (told !== undefined && isThere) return moving;
  const isLate = told !== undefined && told < by.lateBefore && updater.window === clustersWindow;
  if (told !== undefined && step !== undefined && !isLate) return moving;
  const why = whyBlocked(updater, by.isTarget);
  return why === undefined && !isLate ? waiting : blocked(why ?? "late");
}

/** Blames the target only if the agent became unhealthy at the target, and within this time. */
function isWithin(unhealthySince: UnixSeconds | undefined, there: UnixSeconds, seconds: number): boolean {
  return unhealthySince !== undefined && unhealthySince >= there && unhealthySince - there < seconds;
}

/** Only hosts with the cluster's window can be late: a host with a window of its own may not have had one in this time. */
const clustersWindow = "schedule";

/** Whether the version is to blame, and not the host's disk, network or package manager. An unknown fault of an undone move is the version's. */
function isVersionsFault({ kind, fault }: Ended): boolean {
  const exit = fault !== undefined && isHostCode(fault) ? faultTable[fault].exit : undefined;
  return kind === "undone" ? exit !== hostsTrouble : kind === "failed" && exit === failedMove;
}

/** Exit statuses in the table of faults: the host's trouble, which heals by itself, and a move that failed. */
const hostsTrouble = 75;
const failedMove = 11;

function blocked(why: string): Verdict {
  return { kind: "blocked", why };
}

import type { UpdaterSaid } from "./host-evidence.ts";

/** Reasons for which a host's updater moves to no version at all, and the word that a rollout shows for each. */
const forAnyVersion: ReadonlyMap<string, string> = new Map([
  ["needs-operator", "needs-operator"],
  ["held", "held"],
  ["pinned", "pinned"],
  ["package-held", "package-held"],
  ["clock", "clock"],
  ["never", "no-window"],
  ["schedule-missing", "no-window"],
  ["schedule-empty", "no-window"],
  ["schedule-invalid", "no-window"],
  ["schedule-stale", "no-window"],
]);

/** Reasons for which an updater does not move to the version that it is served. */
const forServedVersion: ReadonlySet<string> = new Set([
  "rejected",
  "backing-off",
  "downgrade-refused",
  "major-refused",
  "alternating",
]);

/** Why a host cannot move to the target, in the updater's words; undefined if it can. */
export function whyBlocked(
  { held, rejected, decision, served, fault }: UpdaterSaid,
  isTarget: (version: string) => boolean,
): string | undefined {
  if (held) return "held";
  if (rejected.some(isTarget)) return "rejected";
  if (decision === undefined) return undefined;
  const { kind, why } = decision;
  if (kind === "stop") return why;
  if (kind !== "stay") return undefined;
  const known = forAnyVersion.get(why);
  if (known !== undefined) return known;
  if (!forServedVersion.has(why) || !isTarget(served)) return undefined;
  return why === "backing-off" ? (fault ?? why) : why;
}

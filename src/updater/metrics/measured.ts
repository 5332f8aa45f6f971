import { compareVersions, parseVersion, type Version } from "../../rules/version/version.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { asWritten } from "../../rules/shape/unknown-keys.ts";
import { isSuccess, type Outcome, type State } from "../record/state.ts";

/** What the metrics are made from: what passes left, and the host at the end of one. */
export type Measured = {
  readonly now: UnixSeconds;
  /** The version of svc-upgrade. */
  readonly release: string;
  readonly state: State;
  readonly settings: Pick<Settings, "agent" | "channel" | "hold" | "pin" | "window">;
  readonly schedule: SeenSchedule;
};

type SeenSchedule = { readonly schedule: Schedule; readonly modifiedAt: UnixSeconds | undefined };

/** The version after the last pass; if that pass ended before it looked, after the one before. */
export function installedVersion({ passes }: State): Version | undefined {
  const known = passes.find(({ installed }) => installed !== undefined);
  if (known?.decision.kind === "move" && isInPlace(known.outcome)) return known.decision.target.to;
  return known?.installed === undefined ? undefined : parseVersion(known.installed);
}

/** Whether the new version stays installed: the move succeeded, or failed after its verification and was not rolled back. */
function isInPlace(outcome: Outcome): boolean {
  if (outcome.kind === "failed" && outcome.back?.kind === "not-tried") {
    return outcome.step === "activate" || outcome.step === "health";
  }
  return outcome.kind === "moved";
}

/** Undefined while one of the two versions is unknown. */
export function isUpgradeAvailable(state: State): boolean | undefined {
  const installed = installedVersion(state);
  if (installed === undefined || state.lastContact === undefined) return undefined;
  const { served } = state.lastContact;
  return served !== "none" && compareVersions(installed, served) < 0;
}

/** How many passes have failed in a row, of those that are remembered. */
export function failuresInARow({ passes }: State): number {
  const successful = passes.findIndex(({ outcome }) => isSuccess(outcome));
  return successful === -1 ? passes.length : successful;
}

/** Each step once, because the collector refuses a file that has a series twice. */
export function lastMoveSteps({ passes }: State): readonly { readonly step: string; readonly ms: number }[] {
  const times = new Map<string, number>();
  const steps = passes.find(({ outcome }) => outcome.kind === "moved")?.steps ?? [];
  for (const time of steps) {
    const step = asWritten(time, "step");
    times.set(step, time.ms + (times.get(step) ?? 0));
  }
  return Array.from(times, ([step, ms]) => ({ step, ms }));
}

/** The schedule file, unless a local window beats it. */
export function scheduleInForce({ settings, schedule }: Measured): SeenSchedule | undefined {
  return settings.window === undefined ? schedule : undefined;
}

/** The end of the last window. */
export function endOf(schedule: Schedule): UnixSeconds | undefined {
  switch (schedule.kind) {
    case "windows":
      return Math.max(...schedule.windows.map(({ stop }) => stop));
    case "stale":
      return schedule.endedAt;
    case "missing":
    case "empty":
    case "invalid":
    case "never":
      return undefined;
  }
}

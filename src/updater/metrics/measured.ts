import { compareVersions, parseVersion, type Version } from "../../rules/version/version.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { asWritten } from "../../rules/shape/unknown-keys.ts";
import { isSuccess, type Outcome, type State } from "../record/state.ts";

/** What the metrics are made from: what the passes left, and how the host stands at the end of one. */
export type Measured = {
  readonly now: UnixSeconds;
  /** The updater's own version. */
  readonly release: string;
  readonly state: State;
  readonly settings: Pick<Settings, "agent" | "channel" | "hold" | "pin" | "window">;
  readonly schedule: SeenSchedule;
};

type SeenSchedule = { readonly schedule: Schedule; readonly modifiedAt: UnixSeconds | undefined };

/** As the last pass left it; one that broke off before it looked leaves what the pass before knew. */
export function installedVersion({ passes }: State): Version | undefined {
  const known = passes.find(({ installed }) => installed !== undefined);
  if (known?.decision.kind === "move" && isInPlace(known.outcome)) return known.decision.target.to;
  return known?.installed === undefined ? undefined : parseVersion(known.installed);
}

/** Moved, or failed after the installation was verified, and not taken back. */
function isInPlace(outcome: Outcome): boolean {
  if (outcome.kind === "failed" && outcome.back?.kind === "not-tried") {
    return outcome.step === "activate" || outcome.step === "health";
  }
  return outcome.kind === "moved";
}

/** Undefined while one of the two versions is not known. */
export function isUpgradeAvailable(state: State): boolean | undefined {
  const installed = installedVersion(state);
  if (installed === undefined || state.lastContact === undefined) return undefined;
  const { served } = state.lastContact;
  return served !== "none" && compareVersions(installed, served) < 0;
}

/** At most as many as passes are remembered. */
export function failuresInARow({ passes }: State): number {
  const successful = passes.findIndex(({ outcome }) => isSuccess(outcome));
  return successful === -1 ? passes.length : successful;
}

/** Each step once: of a series that is there twice the collector would refuse the whole file. */
export function lastMoveSteps({ passes }: State): readonly { readonly step: string; readonly ms: number }[] {
  const times = new Map<string, number>();
  const steps = passes.find(({ outcome }) => outcome.kind === "moved")?.steps ?? [];
  for (const time of steps) {
    const step = asWritten(time, "step");
    times.set(step, time.ms + (times.get(step) ?? 0));
  }
  return Array.from(times, ([step, ms]) => ({ step, ms }));
}

/** The schedule file, where it decides: a local window beats it. */
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

import type { HostId } from "../../rules/channel/asking-host.ts";
import type { ReportedUpdater } from "../api/report.ts";
import { isHeld } from "../../rules/decide/gate-policy.ts";
import { unhealthyPassesForRescue } from "../../updater/plan/gate-facts-of-host.ts";
import type { Decision } from "../../updater/plan/host-decision.ts";
import type { PassRecord, State } from "../../updater/record/state.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** The visible state of the updater. */
export type Seen = {
  readonly timer: "on" | "off";
  readonly settings: Settings | undefined;
  readonly state: State;
  /** Whether the schedule file exists and has the last windows. */
  readonly schedule: "written" | "none";
  /** The id by which the updater names itself to channels. */
  readonly hostId: HostId | undefined;
};

/** Describes the updater as a report does. A report's words are the updater's own. */
export function describeUpdater({ timer, settings, state, schedule, hostId }: Seen, now: UnixSeconds): ReportedUpdater {
  const [last] = state.passes;
  // Finds the last pass that did something: a pass that stays does not change what an earlier one found.
  const told = state.passes.find(({ outcome }) => outcome.kind !== "stayed") ?? last;
  const served = state.lastContact?.served ?? last?.served;
  const hold = settings?.hold;
  return {
    kind: timer === "on" ? "unit" : "off",
    package: settings?.agent.package ?? "",
    channel: settings?.channel ?? last?.channel ?? "",
    installed: last?.installed ?? "",
    served: served === undefined || served === "none" ? "" : served,
    decision: last === undefined ? undefined : decisionOf(last.decision),
    step: state.step?.step,
    outcome: told === undefined ? undefined : outcomeOf(told),
    rejected: state.rejected.map((one) => one.served),
    held: isHeld(hold, now),
    held_until: isHeld(hold, now) ? hold?.until : undefined,
    window: windowOf(settings, schedule),
    looked: last?.startedAt,
    asks_as: hostId ?? "",
    downgrade: settings?.downgrade ?? "",
    unhealthy: (state.agent?.unhealthyPasses ?? 0) >= unhealthyPassesForRescue,
  };
}

function windowOf(settings: Settings | undefined, schedule: Seen["schedule"]): string {
  if (settings?.window !== undefined) return "setting";
  return schedule === "written" ? "schedule" : "none";
}

function decisionOf(decision: Decision): ReportedUpdater["decision"] {
  if (decision.kind === "stop") return { kind: "stop", why: decision.fault.code, until: undefined };
  const { kind, why, until } = decision;
  return { kind, why, until };
}

function outcomeOf({ outcome, served, installed, startedAt, seconds }: PassRecord): ReportedUpdater["outcome"] {
  const at = startedAt + seconds;
  switch (outcome.kind) {
    case "moved":
      return { kind: "moved", version: outcome.to, fault: undefined, at };
    case "undone":
      return { kind: "undone", version: outcome.left, fault: outcome.fault.code, at };
    case "failed":
    case "stopped":
      return { kind: outcome.kind, version: served ?? "", fault: outcome.fault.code, at };
    case "stayed":
      return { kind: "stayed", version: installed ?? "", fault: undefined, at };
  }
}

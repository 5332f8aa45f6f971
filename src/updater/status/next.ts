import type { FaultData } from "../../rules/fault/fault.ts";
import { decide } from "../plan/decide-host.ts";
import type { Decision, Move, Stay } from "../plan/host-decision.ts";
import { repairOf } from "../plan/target.ts";
import { policyOf, type Asked } from "../plan/host-policy.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import type { Observed } from "./observed.ts";

/** What a pass would decide now, given the last answer. */
export type Next = Stay | Move | { readonly kind: "stop"; readonly fault: FaultData } | UnknownNext;

/** Why the decision is unknown. */
export type UnknownNext = {
  readonly kind: "unknown";
  readonly why: "never-asked" | "other-channel" | "state-denied" | "state-unreadable" | "schedule-denied";
  readonly told: string;
  readonly lift?: string;
};

const byTimer: Asked = { when: "timer", absent: "stop" };

export function nextOf(seen: Observed): Next {
  const { basis, state, settings } = seen;
  if (basis.kind === "fault") return { kind: "stop", fault: basis.fault };
  if (state.kind === "denied") {
    return unknown("state-denied", "what earlier passes left may not be read by this user", "sudo svc-upgrade status");
  }
  if (state.kind === "unreadable") {
    return unknown(
      "state-unreadable",
      `what earlier passes left is unreadable (${state.why}); the next pass moves it aside and then needs a person`,
      "svc-upgrade retry",
    );
  }
  if (settings === undefined) throw new Error("settings that are wrong are a fault");
  const decision = decide(basis.facts, policyOf(settings.settings, byTimer));
  const needsAnswer = settings.settings.pin === undefined && repairOf(basis.facts) === undefined;
  if (basis.kind === "unasked" && needsAnswer && !isDecidedUnasked(decision)) return unasked(basis.asked, settings.settings);
  return seen.schedule.access === "denied" && restsOnSchedule(decision) ? scheduleDenied : decision;
}

/** A host without the agent's package does not ask the channel. */
function isDecidedUnasked(decision: Decision): boolean {
  return decision.kind === "stop" && (decision.fault.code === "package-absent" || decision.fault.code === "package-unreadable");
}

function unasked(asked: string | undefined, { channel }: Settings): UnknownNext {
  if (asked === undefined)
    return unknown("never-asked", `no pass has asked the channel ${channel} yet, or none with an answer`, askNow);
  return unknown("other-channel", `the last answer was of the channel ${asked}, and ${channel} is configured now`, askNow);
}

const askNow = "svc-upgrade dry-run";

/** Whether the decision may be wrong because this user cannot read the schedule, which counts as invalid then. For root's passes it may be valid. */
function restsOnSchedule(decision: Decision): boolean {
  return (
    decision.kind !== "stop" && (decision.why === "schedule-invalid" || decision.why === "anytime" || decision.why === "rescue")
  );
}

const scheduleDenied: UnknownNext = unknown(
  "schedule-denied",
  "whether the maintenance window is open may not be known to this user: the schedule file is not for everyone",
  "sudo svc-upgrade status",
);

function unknown(why: UnknownNext["why"], told: string, lift: string): UnknownNext {
  return { kind: "unknown", why, told, lift };
}

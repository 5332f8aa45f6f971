import { alternatingIn } from "../../rules/channel/alternating.ts";
import { flappingIn } from "../../rules/channel/flapping.ts";
import type { Decision, StayReason } from "../plan/host-decision.ts";
import { isHeld } from "../../rules/decide/gate-policy.ts";
import type { FaultData } from "../../rules/fault/fault.ts";
import { asWritten } from "../../rules/shape/unknown-keys.ts";
import { printMetrics, type Sample } from "../../rules/exposition/exposition.ts";
import {
  endOf,
  failuresInARow,
  installedVersion,
  isUpgradeAvailable,
  lastMoveSteps,
  scheduleInForce,
  type Measured,
} from "./measured.ts";
import { faultOfOutcome } from "../record/outcome-fault.ts";
import type { PassRecord } from "../record/state.ts";

export type Metric = {
  /** The collector shows this as help, and docs/metrics.md as the meaning. */
  readonly meaning: string;
  readonly labels: readonly string[];
  readonly samples: (measured: Measured) => readonly Sample[];
};

/**
 * All metrics are gauges, because each pass is a new process that knows only the state. The reason is a label of one series: a series for each reason
 * would make more than sixty on every host.
 */
export const metrics: Readonly<Record<string, Metric>> = {
  svc_upgrade_info: {
    meaning: "always 1; version is the updater's own, installed and served are the agent's",
    labels: ["version", "package", "channel", "installed", "served"],
    samples: ({ release, settings, state }) => [
      {
        labels: {
          version: release,
          package: settings.agent.package,
          channel: settings.channel,
          installed: installedVersion(state),
          served: state.lastContact?.served,
        },
        value: 1,
      },
    ],
  },
  svc_upgrade_available: value(
    "1 where the served version is newer than the installed one, else 0; absent until both are known",
    ({ state }) => truth(isUpgradeAvailable(state)),
  ),
  svc_upgrade_last_pass_timestamp_seconds: value("when the last pass began", (measured) => lastPass(measured)?.startedAt),
  svc_upgrade_last_pass_duration_seconds: value(
    "how long the last pass took; 0 where it broke off before it could decide",
    (measured) => lastPass(measured)?.seconds,
  ),
  svc_upgrade_last_success_timestamp_seconds: value(
    "when the last pass began that ended without a fault, whether it moved the agent or had a reason to stay",
    ({ state }) => state.lastSuccessAt,
  ),
  svc_upgrade_consecutive_failures: value(
    "how many passes in a row ended with a fault, the last one among them; 10 stands for ten or more",
    ({ state }) => failuresInARow(state),
  ),
  svc_upgrade_last_contact_timestamp_seconds: value(
    "when the version server last answered with a version, or with none",
    ({ state }) => state.lastContact?.at,
  ),
  svc_upgrade_silent_since_timestamp_seconds: value(
    "when a pass first got no such answer since the last contact; absent while there is contact",
    ({ state }) => state.silentSince,
  ),
  svc_upgrade_answers_alternate: value(
    "1 where answers alternate between two configurations of channels, for instances of the version server disagree, else 0; absent until one said which it has",
    ({ state: { channels }, now }) => (channels.length === 0 ? undefined : truth(flappingIn(channels, now) !== undefined)),
  ),
  svc_upgrade_served_versions_alternate: value(
    "1 where the channel went back within hours to a version that it had served before, or to an earlier decision, else 0; absent until it served one",
    ({ state: { heard }, now }) => (heard.versions.length === 0 ? undefined : truth(alternatingIn(heard, now) !== undefined)),
  ),
  svc_upgrade_decision: {
    meaning: "always 1; what the last pass decided (stay, move or stop) and why: a reason, or for stop a fault",
    labels: ["kind", "why"],
    samples: (measured) =>
      told(lastPass(measured), ({ decision }) => ({ kind: asWritten(decision, "kind"), why: whyOf(decision) })),
  },
  svc_upgrade_decision_until_timestamp_seconds: value(
    "when the reason to stay ends by itself; absent where time alone does not end it",
    (measured) => untilOf(lastPass(measured)?.decision),
  ),
  svc_upgrade_outcome: {
    meaning: "always 1; how the last pass ended (stayed, moved, undone, stopped or failed) and with which fault",
    labels: ["kind", "fault"],
    samples: (measured) =>
      told(lastPass(measured), ({ outcome }) => ({ kind: asWritten(outcome, "kind"), fault: codeOf(faultOfOutcome(outcome)) })),
  },
  svc_upgrade_needs_operator: value("1 where an earlier failure needs a person, else 0", ({ state }) =>
    truth(state.needsOperator !== undefined || isStay(state.passes[0]?.decision, "needs-operator")),
  ),
  svc_upgrade_held: value("1 while a hold is in force, else 0", ({ settings, now }) => truth(isHeld(settings.hold, now))),
  svc_upgrade_held_until_timestamp_seconds: value(
    "when the hold in force ends; absent without a hold, or where it has no end",
    ({ settings, now }) => (isHeld(settings.hold, now) ? settings.hold?.until : undefined),
  ),
  svc_upgrade_pinned: value("1 while a version is pinned, else 0", ({ settings }) => truth(settings.pin !== undefined)),
  svc_upgrade_pin_info: {
    meaning: "always 1; the version that is pinned; absent without a pin",
    labels: ["version"],
    samples: ({ settings }) => told(settings.pin, ({ version }) => ({ version })),
  },
  svc_upgrade_rejected_versions: value(
    "how many package versions failed here and are not tried again",
    ({ state }) => state.rejected.length,
  ),
  svc_upgrade_backoff_until_timestamp_seconds: value(
    "until when passes wait after a failure that was not the version's own; absent where nothing failed so",
    ({ state }) => state.backoff?.until,
  ),
  svc_upgrade_last_move_duration_seconds: value(
    "how long the last pass took that moved the agent",
    ({ state }) => state.moveSeconds[0],
  ),
  svc_upgrade_last_move_step_duration_seconds: {
    meaning: "how long each step of that pass took; absent once ten more have passed",
    labels: ["step"],
    samples: ({ state }) => lastMoveSteps(state).map(({ step, ms }) => ({ labels: { step }, value: ms / 1000 })),
  },
  svc_upgrade_schedule: {
    meaning: "always 1; what the schedule file holds (windows, never, or missing, empty, invalid, stale)",
    labels: ["state"],
    samples: (measured) => told(scheduleInForce(measured), ({ schedule }) => ({ state: schedule.kind })),
  },
  svc_upgrade_schedule_modified_timestamp_seconds: value(
    "when the schedule file was last written",
    (measured) => scheduleInForce(measured)?.modifiedAt,
  ),
  svc_upgrade_schedule_end_timestamp_seconds: value("when the last window of the schedule file ends, or ended", (measured) => {
    const seen = scheduleInForce(measured);
    return seen === undefined ? undefined : endOf(seen.schedule);
  }),
};

export function metricsText(measured: Measured): string {
  return printMetrics(
    Object.entries(metrics).map(([name, { meaning, samples }]) => ({
      name,
      type: "gauge",
      help: meaning,
      samples: samples(measured),
    })),
  );
}

/** A metric without labels; absent without a value. */
function value(meaning: string, read: (measured: Measured) => number | undefined): Metric {
  return {
    meaning,
    labels: [],
    samples(measured) {
      const found = read(measured);
      return found === undefined ? [] : [{ labels: {}, value: found }];
    },
  };
}

/** A series that tells something by its labels. */
function told<Thing>(thing: Thing | undefined, tell: (thing: Thing) => Sample["labels"]): readonly Sample[] {
  return thing === undefined ? [] : [{ labels: tell(thing), value: 1 }];
}

function truth(claim: boolean | undefined): number | undefined {
  return claim === undefined ? undefined : Number(claim);
}

function lastPass({ state }: Measured): PassRecord | undefined {
  return state.passes[0];
}

function isStay(decision: Decision | undefined, why: StayReason): boolean {
  return decision?.kind === "stay" && decision.why === why;
}

function whyOf(decision: Decision): string | undefined {
  return decision.kind === "stop" ? codeOf(decision.fault) : asWritten(decision, "why");
}

function codeOf(fault: FaultData | undefined): string | undefined {
  return fault && asWritten(fault, "code");
}

function untilOf(decision: Decision | undefined): number | undefined {
  return decision?.kind === "stay" ? decision.until : undefined;
}

import type { Facts } from "../../../src/updater/plan/host-facts.ts";
import { memoryOf } from "../../../src/updater/record/remember.ts";
import { emptyState, type PassRecord, type State, type StepInHand } from "../../../src/updater/record/state.ts";
import type { Endpoint, UnitName } from "../../../src/rules/settings/settings.ts";
import type { Observed, UnitsSeen } from "../../../src/updater/status/observed.ts";
import { viewOf, type StatusView } from "../../../src/updater/status/view.ts";
import { settings } from "../pass/given.ts";
import { given, installedVersion, now, servedVersion } from "../plan/given.ts";
import { isRunning, type ShownUnit } from "../../../src/updater/unit/shown.ts";
import type { ShownTimer } from "../../../src/updater/unit/timer.ts";
import { usualAgentPaths } from "../../agent-paths.ts";
import { running } from "../unit/given.ts";

export type Host = {
  readonly facts?: Partial<Facts>;
  /** As a settings file would have them. */
  readonly settings?: object;
  readonly state?: Partial<State>;
  readonly seen?: Partial<Observed>;
};

export const shown: ShownUnit = { ...running, mainPid: 1234 };

const timer: ShownTimer = {
  load: "loaded",
  isEnabled: true,
  isActive: true,
  lastAt: undefined,
  nextAt: undefined,
};

export function unitsAt(
  at: number,
  changes: { readonly agent?: Partial<ShownUnit>; readonly timer?: Partial<ShownTimer> } = {},
): UnitsSeen {
  const unit = { ...shown, ...changes.agent };
  const agent = { unit: "svc.service" as UnitName, shown: unit, activeSince: isRunning(unit) ? at - 86_400 : undefined };
  return { kind: "units", agent, timer: { ...timer, lastAt: at - 240, nextAt: at + 360, ...changes.timer } };
}

/** A pass of four minutes ago that found the window closed. */
export function passOf(changes: Partial<PassRecord> = {}): PassRecord {
  return {
    id: "1c6e6a5e-0000-4000-8000-000000000000",
    startedAt: now - 240,
    seconds: 1,
    installed: installedVersion,
    served: servedVersion,
    channel: "default",
    decision: { kind: "stay", why: "outside-window", told: "outside the maintenance window" },
    outcome: { kind: "stayed" },
    steps: [],
    recovered: undefined,
    ...changes,
  };
}

/** What a pass on its way to 15.4.6 had begun. */
export function stepInHand(changes: Partial<StepInHand> = {}): StepInHand {
  return {
    pass: "p",
    step: "install",
    movement: "upgrade",
    why: "window",
    startedAt: now - 40,
    served: servedVersion,
    from: undefined,
    to: undefined,
    agentBefore: "running",
    changingSince: now - 40,
    hold: "none",
    cause: undefined,
    recoveries: 0,
    done: [],
    ...changes,
  };
}

/** 15.4.5 is installed and well, 15.4.6 (or what the facts say) was served four minutes ago, the window is open, and the timer runs. */
export function seenOf({ facts: changes = {}, settings: values = {}, state = {}, seen = {} }: Host = {}): Observed {
  const memory = memoryOf({ ...emptyState, ...state }, changes.agent ?? "running");
  const { facts } = given({ memory, ...changes });
  const { answer } = facts;
  const served = answer.kind !== "served" ? servedVersion : answer.served.kind === "none" ? "none" : answer.served.version;
  const isCritical = answer.kind === "served" && answer.isCritical;
  return {
    now: facts.now,
    root: "/",
    agentPaths: usualAgentPaths({ root: "/" }),
    settings: {
      settings: settings({ endpoint: "https://proxy.example.com", ...values }),
      endpoint: "https://proxy.example.com" as Endpoint,
      holdOrigin: "/etc/svc-upgrade/70-hold.yaml",
      pinOrigin: "/etc/svc-upgrade/70-pin.yaml",
    },
    route: { kind: "direct", rule: "no HTTPS_PROXY is set" },
    basis: { kind: "facts", facts },
    state: {
      kind: "state",
      state: { ...emptyState, lastContact: { at: facts.now - 240, served, isCritical }, ...state },
    },
    installed: facts.installed,
    along: [],
    schedule: {
      file: "/etc/svc-upgrade.d/schedule",
      schedule: facts.schedule,
      writtenAt: now - 2 * 86_400,
      cluster: undefined,
      note: undefined,
      access: "read",
    },
    units: unitsAt(facts.now),
    running: undefined,
    unread: [],
    ...seen,
  };
}

export function viewGiven(host: Host = {}): StatusView {
  return viewOf(seenOf(host));
}

import { Fault } from "../../../src/rules/fault/fault.ts";
import { runPass } from "../../../src/updater/pass/pass.ts";
import type { ChannelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import type { Asked } from "../../../src/updater/plan/host-policy.ts";
import {
  emptyState,
  type KeptPackage,
  type PassRecord,
  type State,
  type StepInHand,
  type StepName,
} from "../../../src/updater/record/state.ts";
import { cutOff } from "../record/given.ts";
import { installed, now, packageVersion, settings, stateWith, type FakeHost } from "./given.ts";

export const timer: Asked = { when: "timer", absent: "stop" };

export type PassGiven = { readonly state?: State; readonly asked?: Asked; readonly values?: object };

/** A pass on that host: the timer's, the first one there, and with the settings that a host has which sets none. */
export function pass({ ports }: Pick<FakeHost, "ports">, given: PassGiven = {}): Promise<PassRecord> {
  const { state = emptyState, asked = timer, values } = given;
  return runPass({ settings: settings(values), asked, state }, ports);
}

/** What is on the disk when a pass has ended. */
export function left({ saved }: Pick<FakeHost, "saved">): State {
  return saved.at(-1) ?? emptyState;
}

export const ill: Fault = new Fault("unhealthy", { message: "svc.service is failed", hint: "see its journal" });
export const script: Fault = new Fault("install-failed", { message: "postinst failed", hint: "see the log" });
export const full: Fault = new Fault("no-space", { message: "no room", hint: "make room" });
export const killed: Fault = new Fault("interrupted", { message: "dpkg was ended by SIGKILL", hint: "" });
export const readOnly: Fault = new Fault("read-only", { message: "/usr is read-only", hint: "" });

/** The next pass often comes before the network does. */
export const offline: ChannelAnswer = {
  kind: "fault",
  fault: { code: "channel-unreachable", message: "no answer", hint: "wait", causes: [] },
};

export const half = installed("15.4.6", { condition: "half-way" });

export function keptOf(...versions: readonly string[]): readonly KeptPackage[] {
  return versions.map((text) => ({ packageVersion: packageVersion(text), file: text, sha256: "x", bytes: 1 }));
}

/** A pass on its way from 15.4.5 to 15.4.6 did not finish that step, a minute ago; it had kept both. */
export function cutOffAt(step: StepName, more: Partial<StepInHand> = {}): State {
  return stateWith({ step: stepAt(step, more), kept: keptOf("15.4.6", "15.4.5") });
}

export function stepAt(step: StepName, more: Partial<StepInHand> = {}): StepInHand {
  const [from, to] = [packageVersion("15.4.5"), packageVersion("15.4.6")];
  return cutOff(step, { pass: "old", startedAt: now - 60, changingSince: now - 60, recoveries: 0, from, to, ...more });
}

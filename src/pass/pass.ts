import { faultData } from "../fault/explain.ts";
import { printInstant } from "../window/instant.ts";
import { decide } from "../plan/decide.ts";
import type { Decision } from "../plan/decision.ts";
import type { Facts } from "../plan/facts.ts";
import { isHeld, policyOf, type Asked } from "../plan/policy.ts";
import { rememberInterruption } from "../record/remember-outcome.ts";
import { rememberPass } from "../record/remember.ts";
import type { PassRecord, State, StepInHand } from "../record/state.ts";
import type { Settings } from "../settings/settings.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import { apply } from "./apply.ts";
import { observe, type Observation } from "./observe.ts";
import type { Actors, Observers } from "./ports.ts";
import { afterSilence } from "./silence.ts";
import { installedVersion, tellDecision, tellFault, tellMoved, tellServed } from "./tell.ts";

export type PassPorts = Observers & Actors;
export type PassInput = { readonly settings: Settings; readonly asked: Asked; readonly state: State };

/** One pass: recover, observe, ask, decide, apply, record. The caller holds the lock. */
export async function runPass({ settings, asked, state: before }: PassInput, ports: PassPorts): Promise<PassRecord> {
  const state = noteHold(recover(before, ports), settings, ports);
  const asks = asked.when === "back" ? "nobody" : "channel";
  const observation = await observe(ports, { name: settings.agent.package, state, asks });
  const { facts } = observation;
  const decision = withSilence(decide(facts, policyOf(settings, asked)), state, facts);
  const told = tellDecision(facts, decision, { channel: settings.channel, mood: "doing" });
  ports.log(told.level, told.sentence, told.fields);
  const { outcome, installing, steps } = await act({ decision, observation }, { settings, state }, ports);
  const clock = ports.readClock();
  const record = {
    id: ports.passId,
    startedAt: facts.now,
    seconds: secondsSince(observation, ports),
    installed: installedVersion(facts),
    served: tellServed(facts),
    channel: settings.channel,
    decision,
    outcome,
    steps,
  };
  ports.saveState(rememberPass(state, { record, facts, clock, unit: await ports.countRestarts(), installing }));
  return record;
}

/** What our own journal says was begun and never ended. */
function recover(state: State, ports: PassPorts): State {
  if (state.step === undefined) return state;
  ports.log("warning", interruption(state.step), { pass: state.step.pass });
  const recovered = rememberInterruption(state, ports.readClock().now);
  ports.saveState(recovered);
  return recovered;
}

/** The end of a hold is said once, by the first pass after it. One that was taken back needs no telling: somebody did it. */
function noteHold(state: State, { hold }: Settings, ports: PassPorts): State {
  const heldUntil = isHeld(hold, ports.readClock().now) ? hold?.until : undefined;
  const noted = { ...state, heldUntil };
  if (heldUntil === undefined && state.heldUntil !== undefined && hold?.until !== undefined) {
    ports.log("notice", `the hold ended at ${printInstant(hold.until)}; upgrades go on`, {});
    // Here and now: a pass that breaks off later must not make the next one say it again.
    ports.saveState(noted);
  }
  return noted;
}

function interruption({ step, served }: StepInHand): string {
  return `the pass before this one was cut off at the step ${step} towards ${served}; looking at what is there`;
}

function withSilence(decision: Decision, state: State, facts: Facts): Decision {
  if (decision.kind !== "stop") return decision;
  return { kind: "stop", fault: afterSilence(decision.fault, state.silentSince, facts.now) };
}

type Acted = Pick<PassRecord, "outcome" | "steps"> & { readonly installing: PackageVersion | undefined };

async function act(
  { decision, observation }: { readonly decision: Decision; readonly observation: Observation },
  { settings, state }: Pick<PassInput, "settings" | "state">,
  ports: PassPorts,
): Promise<Acted> {
  switch (decision.kind) {
    case "stop":
      return { outcome: { kind: "stopped", fault: decision.fault }, installing: undefined, steps: [] };
    case "stay":
      return { outcome: { kind: "stayed" }, installing: undefined, steps: [] };
    case "move": {
      const { facts, manager } = observation;
      const { target: movement, exactly } = decision;
      const applied = await apply({ movement, exactly, settings, installed: facts.installed, manager, ports }, state);
      const { steps } = applied;
      if (applied.kind === "failed") {
        const fault = faultData(applied.fault);
        const told = tellFault(fault);
        ports.log(told.level, told.sentence, { ...told.fields, step: applied.step });
        return { outcome: { kind: "failed", step: applied.step, fault }, installing: applied.to, steps };
      }
      const seconds = secondsSince(observation, ports);
      const told = tellMoved(movement, { name: settings.agent.package, seconds, ...applied });
      ports.log(told.level, told.sentence, told.fields);
      return { outcome: { kind: "moved", from: applied.from, to: applied.to, seconds }, installing: applied.to, steps };
    }
  }
}

/** By the clock that nobody can set. */
function secondsSince({ clock }: Observation, ports: PassPorts): number {
  return Math.max(0, Math.round(ports.readClock().sinceBootSeconds - clock.sinceBootSeconds));
}

import { type FaultData, Fault } from "../../rules/fault/fault.ts";
import { printInstant } from "../../rules/window/instant.ts";
import { decide } from "../plan/decide-host.ts";
import type { Decision } from "../plan/host-decision.ts";
import type { Facts } from "../plan/host-facts.ts";
import { isHeld } from "../../rules/decide/gate-policy.ts";
import { policyOf, type Asked } from "../plan/host-policy.ts";
import { isDone } from "../../rules/decide/comparison.ts";
import { noScheduleIn } from "../plan/unscheduled.ts";
import type { NoSchedule } from "../../rules/decide/gate-facts.ts";
import { damageIn } from "../plan/target.ts";
import { hasLearnt, rememberPass } from "../record/remember.ts";
import type { PassRecord, State } from "../record/state.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import type { Applied } from "./apply.ts";
import { lookAgain } from "./look-again.ts";
import { observe, type Observation } from "./observe.ts";
import type { Actors, Observers } from "./ports.ts";
import type { Recovering } from "./recover.ts";
import { settle } from "./settle.ts";
import {
  tellAlternation,
  tellChannels,
  tellCrash,
  tellDecision,
  tellFault,
  tellMoved,
  tellPinLeft,
  tellServed,
} from "../sentences/decision.ts";
import { faultData } from "../../rules/fault/explain.ts";
import type { FaultCode } from "../../rules/fault/table.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { daySeconds } from "../../rules/window/seconds.ts";

export type PassPorts = Observers & Actors;
export type PassInput = { readonly settings: Settings; readonly asked: Asked; readonly state: State };

/** One pass: recover, observe, ask, decide, apply, record. The caller holds the lock. */
export async function runPass({ settings, asked, state: before }: PassInput, ports: PassPorts): Promise<PassRecord> {
  const recovering = await recoverFrom(before, settings, ports);
  const state = noteHold(recovering.state, settings, ports);
  const asks = asked.when === "back" ? "nobody" : "channel";
  const observation = await observe(ports, {
    name: settings.agent.package,
    channel: settings.channel,
    state,
    pin: settings.pin,
    asks,
  });
  const { facts, searchedAt } = await lookAgain(observation, { settings, asked, state }, ports);
  const policy = policyOf(settings, asked);
  const decision = withSilence(decide(facts, policy), state, facts);
  const noSchedule = noScheduleIn(facts, policy);
  const toldBefore = asked.by === "hand" ? undefined : state.noSchedule;
  const { channel, pin } = settings;
  const first = tellDecision(facts, decision, { channel, pin, mood: "doing", noSchedule, toldBefore });
  const decided = isAgain(decision, facts, before) ? { ...first, level: "info" as const } : first;
  const unanswered = unansweredIn(decision, facts, state);
  const silence = unanswered === undefined ? undefined : tellFault(unanswered);
  const tellings = [tellCrash(facts, state, settings.agent.unit), tellChannels(facts, state), tellAlternation(facts, state)];
  for (const told of [...tellings, silence, decided]) {
    if (told !== undefined) ports.log(told.level, told.sentence, told.fields);
  }
  const { outcome, steps, kept, ...acted } = await act({ decision, observation }, { settings, state }, ports);
  const clock = ports.readClock();
  const record = {
    id: ports.passId,
    startedAt: facts.now,
    seconds: secondsSince(observation, ports),
    installed: facts.installed.version,
    served: tellServed(facts),
    channel: settings.channel,
    pin: settings.pin?.version,
    decision,
    outcome,
    steps: [...recovering.steps, ...steps],
    recovered: recovering.recovered,
    unanswered,
  };
  // Counts the restarts again after a move, which restarts the unit.
  const unit = await ports.countRestarts(decision.kind === "move" ? "now" : "as seen");
  const known = { ...state, kept, searchedAt, noSchedule: noScheduleTold(noSchedule, decision, state) };
  const after = rememberPass(known, { record, facts, clock, unit, ...acted });
  if (decision.kind === "move") await (await import("./leave-history.ts")).leaveMove({ record, facts, ...acted }, before, ports);
  ports.saveState(after);
  if (decision.kind === "move" || hasLearnt(before, after) || ports.isUnsettled()) await settle(ports);
  return record;
}

/** Ends an earlier pass's unfinished move. Few passes leave one, so the code for it is loaded only then. */
async function recoverFrom(state: State, settings: Settings, ports: PassPorts): Promise<Recovering> {
  const { step } = state;
  if (step === undefined) return { state, recovered: state.recovered, steps: [] };
  const { recover } = await import("./recover.ts");
  return recover({ ...state, step }, settings, ports);
}

/** Says once that a hold has ended. If somebody removed the hold, nobody needs the message. */
function noteHold(state: State, { hold }: Settings, ports: PassPorts): State {
  const heldUntil = isHeld(hold, ports.readClock().now) ? hold?.until : undefined;
  const noted = { ...state, heldUntil };
  if (heldUntil === undefined && state.heldUntil !== undefined && hold?.until !== undefined) {
    ports.log("notice", `the hold ended at ${printInstant(hold.until)}; upgrades go on`, {});
    // Saves at once: if this pass ends early, the next one must not say it again.
    ports.saveState(noted);
  }
  return noted;
}

function withSilence(decision: Decision, state: State, facts: Facts): Decision {
  if (decision.kind !== "stop") return decision;
  return { kind: "stop", fault: afterSilence(decision.fault, state.silentSince, facts.now) };
}

/** The reason why the server did not answer, for a decision that does not need an answer, as a repair. */
function unansweredIn(decision: Decision, facts: Facts, { silentSince }: State): FaultData | undefined {
  if (decision.kind === "stop" || facts.answer.kind !== "fault") return undefined;
  return afterSilence(facts.answer.fault, silentSince, facts.now);
}

/** What was told about a missing schedule. What this pass did not tell, a later pass tells. */
function noScheduleTold(found: NoSchedule | undefined, decision: Decision, { noSchedule }: State): State["noSchedule"] {
  const isTold = decision.kind === "stay" && (isDone(decision) || decision.why === found?.why);
  return found === undefined || isTold ? found?.why : noSchedule;
}

/** Whether the pass before said the same ten minutes ago, so that it is no news. `status` always shows it. */
function isAgain(decision: Decision, { installed, binary }: Facts, { passes: [last] }: State): boolean {
  const before = last?.decision;
  if (decision.kind !== "stay" || isDone(decision) || before?.kind !== "stay") return false;
  return before.why === decision.why && before.told === decision.told && damageIn(installed, binary) === undefined;
}

type Acted = Omit<Applied, "ended"> & Pick<PassRecord, "outcome">;

async function act(
  { decision, observation }: { readonly decision: Decision; readonly observation: Observation },
  { settings, state }: Pick<PassInput, "settings" | "state">,
  ports: PassPorts,
): Promise<Acted> {
  const nothing = { installing: undefined, agentBefore: undefined, steps: [], kept: state.kept };
  switch (decision.kind) {
    case "stop":
      return { outcome: { kind: "stopped", fault: decision.fault }, ...nothing };
    case "stay":
      return { outcome: { kind: "stayed" }, ...nothing };
    case "move": {
      const { facts, manager } = observation;
      const { apply } = await import("./apply.ts");
      const { installed } = facts;
      const { ended, ...more } = await apply({ decision, settings, installed, manager, ports }, state);
      const seconds = secondsSince(observation, ports);
      switch (ended.kind) {
        case "failed":
          return { outcome: { kind: "failed", back: ended.back, ...ended.cause }, ...more };
        case "undone":
          return { outcome: { kind: "undone", left: ended.left, to: ended.to, seconds, ...ended.cause }, ...more };
        case "moved": {
          const { to, activation } = ended;
          const from = installed.packageVersion;
          const told = tellMoved(decision.target, { name: settings.agent.package, seconds, activation, from, to });
          const { pin } = settings;
          const isBack = decision.why === "rollback";
          const left = isBack && pin !== undefined ? tellPinLeft(pin, installed.version, decision.target.to) : undefined;
          for (const { level, sentence, fields } of [told, ...(left === undefined ? [] : [left])])
            ports.log(level, sentence, fields);
          return { outcome: { kind: "moved", from, to, seconds }, ...more };
        }
      }
    }
  }
}

/** Seconds since this pass looked, by the time since boot, which nobody can set. */
function secondsSince({ clock }: Observation, ports: PassPorts): number {
  return Math.max(0, Math.round(ports.readClock().sinceBootSeconds - clock.sinceBootSeconds));
}

/** After a day without contact, the fault counts as lasting and the unit fails. */
const longestSilenceSeconds = daySeconds;

const silences: readonly FaultCode[] = ["channel-unreachable", "channel-failing", "proxy-unreachable", "ask-failed"];

/** A network that is down for a day gets its own fault, with this pass's fault as the cause. */
export function afterSilence(fault: FaultData, silentSince: UnixSeconds | undefined, now: UnixSeconds): FaultData {
  if (!silences.includes(fault.code) || silentSince === undefined || now - silentSince < longestSilenceSeconds) return fault;
  const lost = faultData(
    new Fault("contact-lost", {
      message: `the version server has not been reached since ${printInstant(silentSince)}`,
      hint: fault.hint,
    }),
  );
  return { ...lost, causes: [fault.message, ...fault.causes] };
}

import { exitStatus } from "../../fault/explain.ts";
import type { FaultData } from "../../fault/fault.ts";
import { readClock } from "../../host/clock.ts";
import type { Log } from "../../host/log.ts";
import { pathsBelow, type Paths } from "../../host/paths.ts";
import { observe } from "../../pass/observe.ts";
import { endpointOf, prepare } from "../../sources/settings.ts";
import { compare, doubtOf, tellDecision, tellFault } from "../../sentences/decision.ts";
import { decide } from "../../plan/decide.ts";
import type { Facts } from "../../plan/facts.ts";
import { policyOf } from "../../plan/policy.ts";
import { emptyState, type State } from "../../record/state.ts";
import { seeSchedule } from "../../store/schedule-file.ts";
import { readState } from "../../store/state-file.ts";
import type { UnixSeconds } from "../../window/window.ts";
import type { AnswerJson } from "../json/answer.ts";
import type { FaultJson } from "../json/fault.ts";
import { dryObservers } from "../wiring/observers.ts";
import type { DryRunOptions } from "../options.ts";
import { proxiesSeen, sourcesOf } from "../wiring/sources.ts";
import type { CommandContext } from "../context.ts";

/** The status for --exit-code: no fault has it, and no shell gives it a meaning of its own. */
const statusAvailable = 100;

/**
 * "settled": a writer of the schedule is waited for, as in a pass. "as it lies": an empty schedule is what was just made, and not
 * half of one.
 */
export type ScheduleLook = "settled" | "as it lies";

/** What is told on stdout, as a line where there is one or as JSON, and the status that it ends with. */
export type DryAnswer = {
  readonly status: number;
  readonly line?: string;
  readonly json: () => Promise<AnswerJson | FaultJson>;
};

export async function dryRun(options: DryRunOptions, context: CommandContext): Promise<number> {
  const { status, line, json } = await dryAnswer(options, context, "settled");
  if (options.json) context.surroundings.out(`${JSON.stringify(await json())}\n`);
  else if (line !== undefined) context.surroundings.out(`${line}\n`);
  return status;
}

/** The same path as a pass, with nothing behind it that could act; for another time, as if it were then what it is now. */
export async function dryAnswer(
  options: Omit<DryRunOptions, "json">,
  context: CommandContext,
  look: ScheduleLook,
): Promise<DryAnswer> {
  const { surroundings, log } = context;
  const at = options.at === undefined ? undefined : await timeOf(options.at);
  const paths = pathsBelow(options.root);
  const sources = sourcesOf(paths, context, options);
  const prepared = await prepare(sources);
  const { settings } = prepared;
  const endpoint = endpointOf(prepared, paths);
  const proxies = proxiesSeen(sources);
  const { stopping } = surroundings;
  const usual = dryObservers({ paths, settings, endpoint, proxies, log, stopping, at });
  const observers = look === "settled" ? usual : { ...usual, readSchedule: () => scheduleAsItLies(paths) };
  const known = {
    name: settings.agent.package,
    channel: settings.channel,
    state: stateToRead(paths, log),
    asks: "channel",
  } as const;
  const observed = await observe(observers, known);
  const facts = at === undefined ? observed.facts : asIfAt(at, observed.facts);
  const decision = decide(facts, policyOf(settings, { when: "timer", absent: "stop" }));
  const told = tellDecision(facts, decision, { channel: settings.channel, mood: "would-do", at });
  log(told.level, told.sentence, told.fields);
  if (decision.kind === "stop") return faultAnswer(decision.fault);
  if (facts.answer.kind !== "served") {
    // A repair needs no answer; but what a dry run compares are versions.
    if (facts.answer.kind !== "fault") throw new Error("the channel was not asked");
    const silence = tellFault(facts.answer.fault);
    log(silence.level, silence.sentence, silence.fields);
    return faultAnswer(facts.answer.fault);
  }
  const installed = facts.installed.version;
  const { served } = facts.answer;
  const { line, isAvailable } = compare(installed, served);
  const doubt = decision.kind === "stay" ? doubtOf(facts, decision) : undefined;
  const answerable = { installed, served, channel: settings.channel, decision, doubt, at };
  return {
    status: options.exitCode && isAvailable ? statusAvailable : 0,
    line,
    json: async () => (await import("../json/answer.ts")).answerJson(answerable),
  };
}

export function faultAnswer(fault: FaultData): DryAnswer {
  return { status: exitStatus(fault.code), json: async () => (await import("../json/fault.ts")).faultJson(fault) };
}

/** The library of people's times is loaded for whoever asks for one. */
async function timeOf(spoken: string): Promise<UnixSeconds> {
  return (await import("../times/asked-time.ts")).askedTime(spoken);
}

function scheduleAsItLies(paths: Paths): Promise<Facts["schedule"]> {
  return Promise.resolve(seeSchedule(paths.schedule, readClock().now).schedule);
}

/** What the clock says now is nothing against a time that was asked for. */
function asIfAt(at: UnixSeconds, facts: Facts): Facts {
  return { ...facts, now: at, clock: { kind: "plausible" } };
}

/** A state that cannot be read only makes the answer poorer; a pass would move it aside. */
function stateToRead(paths: Paths, log: Log): State {
  const reading = readState(paths);
  switch (reading.kind) {
    case "state":
      return reading.state;
    case "denied":
      log("warning", "the state of earlier passes may not be read by this user and is left out", { path: paths.state });
      return emptyState;
    case "unreadable":
      log("warning", "the state of earlier passes is unreadable and is left out", { path: paths.state, why: reading.why });
      return emptyState;
  }
}

import { encode } from "../../../rules/shape/write.ts";
import { toOpenToUnit } from "../../../machine/network/ca-place.ts";
import { isOwnRoot } from "../../../machine/processes/booted.ts";
import { exitStatus } from "../../../rules/fault/explain.ts";
import type { FaultData } from "../../../rules/fault/fault.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { Log } from "../../../machine/logging/log.ts";
import { pathsBelow, type AgentPaths, type Paths } from "../../../machine/files/paths.ts";
import { observe } from "../../pass/observe.ts";
import { endpointOf, prepare } from "../../sources/settings.ts";
import { compare } from "../../../rules/decide/comparison.ts";
import { doubtOf, tellDecision, tellFault } from "../../sentences/decision.ts";
import { decide } from "../../plan/decide-host.ts";
import type { Decision, Move } from "../../plan/host-decision.ts";
import type { Facts } from "../../plan/host-facts.ts";
import { policyOf } from "../../plan/host-policy.ts";
import { noScheduleIn } from "../../plan/unscheduled.ts";
import { emptyState, type State } from "../../record/state.ts";
import type { Settings } from "../../../rules/settings/settings.ts";
import { seeSchedule } from "../../store/schedule-file.ts";
import { readState } from "../../store/state-file.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import type { AnswerJson } from "../json/answer.ts";
import type { FaultJson } from "../../../rules/fault/fault-answer.ts";
import { dryObservers } from "../wiring/observers.ts";
import type { SharedOptions } from "../options.ts";
import { proxiesSeen, sourcesOf } from "../wiring/sources.ts";
import type { CommandContext } from "../context.ts";

/** The exit status for `--exit-code`. No fault and no shell uses it. */
const statusAvailable = 100;

/**
 * How to read the schedule. "settled" waits while somebody writes it, as a pass does. "as it lies" takes an empty schedule as empty, because it was
 * just made.
 */
export type ScheduleLook = "settled" | "as it lies";

/** The output on stdout, as a line or as JSON, and the exit status. */
export type DryAnswer = {
  readonly status: number;
  readonly line?: string;
  readonly json: () => Promise<AnswerJson | FaultJson>;
};

/** `at` is a time as a person types it. */
export type DryRunOptions = SharedOptions & { readonly exitCode: boolean; readonly at: string | undefined };

export async function dryRun(options: DryRunOptions, context: CommandContext): Promise<number> {
  const { status, line, json } = await dryAnswer(options, context, "settled");
  if (options.json) context.surroundings.out(`${JSON.stringify(await json())}\n`);
  else if (line !== undefined) context.surroundings.out(`${line}\n`);
  return status;
}

/** Decides as a pass does, but changes nothing. For another time, it assumes that the host stays as it is. */
export async function dryAnswer(
  options: Omit<DryRunOptions, "json">,
  context: CommandContext,
  look: ScheduleLook,
): Promise<DryAnswer> {
  const { surroundings, log } = context;
  const at = options.at === undefined ? undefined : await timeOf(options.at);
  const paths = pathsBelow(options.root);
  const sources = { ...sourcesOf(paths, context, options), at };
  const prepared = await prepare(sources);
  const { settings, agentPaths } = prepared;
  const endpoint = endpointOf(prepared);
  const proxies = proxiesSeen({ ...sources, agentPaths });
  const { stopping } = surroundings;
  const usual = dryObservers({ paths, agentPaths, settings, endpoint, proxies, log, stopping, at });
  const observers = look === "settled" ? usual : { ...usual, readSchedule: () => scheduleAsItLies(agentPaths) };
  const state = stateToRead(paths, log);
  const { pin, channel } = settings;
  const observed = await observe(observers, { name: settings.agent.package, channel, state, pin, asks: "channel" });
  const facts = at === undefined ? observed.facts : asIfAt(at, observed.facts);
  const policy = policyOf(settings, { when: "timer", absent: "stop" });
  const decision = decide(facts, policy);
  const ahead = moveAhead(decision, facts, settings);
  const { installed: there } = facts;
  const here = { paths, settings, state, manager: observed.manager, installed: there };
  const foreseen = ahead && (await (await import("../wiring/foresee-here.ts")).foreseeHere(ahead, here));
  const missed = noScheduleIn(facts, policy);
  // A file that this user may not read may still be valid.
  const noSchedule = missed && !seeSchedule(agentPaths.schedule, facts.now).isDenied ? missed : undefined;
  const told = tellDecision(facts, decision, { channel, pin, mood: "would-do", at, foreseen, noSchedule });
  log(told.level, told.sentence, told.fields);
  if (decision.kind === "stop") return faultAnswer(decision.fault);
  if (facts.answer.kind !== "served") {
    // A repair needs no answer, but a dry run compares versions.
    if (facts.answer.kind !== "fault") throw new Error("the channel was not asked");
    const silence = tellFault(facts.answer.fault);
    log(silence.level, silence.sentence, silence.fields);
    return faultAnswer(facts.answer.fault);
  }
  const installed = there.version;
  const { served } = facts.answer;
  if (settings.caFile !== undefined && surroundings.userId === 0 && isOwnRoot(paths)) warnOfClosed(settings.caFile, log);
  const { line, isAvailable } = compare(installed, served);
  const doubt = decision.kind === "stay" ? doubtOf(facts, decision, pin) : undefined;
  const answerable = { installed, served, channel, pin: pin?.version, decision, doubt, at, foreseen };
  return {
    status: options.exitCode && isAvailable ? statusAvailable : 0,
    line,
    json: async () => (await import("../json/answer.ts")).answerJson(answerable),
  };
}

export function faultAnswer(fault: FaultData): DryAnswer {
  return { status: exitStatus(fault.code), json: async () => encode((await import("../json/fault.ts")).faultAnswer, fault) };
}

/** The move that a pass would begin, now or later. Most dry runs find none, and so ask no repository. */
function moveAhead(decision: Decision, facts: Facts, settings: Settings): Move | undefined {
  if (decision.kind === "move") return decision;
  const whenAsked = decide(facts, policyOf(settings, { when: "now", absent: "stop" }));
  return whenAsked.kind === "move" ? whenAsked : undefined;
}

/** Warns of a closed file: root can read it here, but a pass asks as another user. */
function warnOfClosed(caFile: string, log: Log): void {
  const open = toOpenToUnit(caFile);
  if (open === undefined) return;
  log(
    "warning",
    `ca_file ${caFile} was read as root, but svc-upgrade-ask.service, which asks in a pass, may not read it: \`${open}\``,
    {},
  );
}

/** Loads the library for people's times only if a time is given. */
async function timeOf(spoken: string): Promise<UnixSeconds> {
  return (await import("../times/asked-time.ts")).askedTime(spoken);
}

function scheduleAsItLies({ schedule }: AgentPaths): Promise<Facts["schedule"]> {
  return Promise.resolve(seeSchedule(schedule, readClock().now).schedule);
}

/** Ignores a doubt about today's clock, which does not matter for a given time. */
function asIfAt(at: UnixSeconds, facts: Facts): Facts {
  return { ...facts, now: at, clock: { kind: "plausible" } };
}

/** The state, or less if it cannot be read. A pass would move that file aside. */
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

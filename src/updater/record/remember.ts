import { hear as hearChannels } from "../../rules/channel/flapping.ts";
import { forgetAlternation, hear, hearAgreement, type Heard } from "../../rules/channel/heard.ts";
import type { ChannelName } from "../../rules/channel/path.ts";
import type { AgentCondition, Facts, HostMemory } from "../plan/host-facts.ts";
import { damageIn } from "../plan/target.ts";
import { urgencyOf } from "../../rules/decide/urgency.ts";
import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { FinishedPass } from "./finished-pass.ts";
import { rememberOutcome } from "./remember-outcome.ts";
import { emptyState, isSuccess, mostPasses, type AgentRecord, type PassRecord, type State } from "./state.ts";

/** What earlier passes left for a decision, including this pass's look at the agent. */
export function memoryOf(state: State, agent: AgentCondition): HostMemory {
  const { needsOperator, rejected, backoff, rescuedFor, moveSeconds, previous, repair: repairs, heard } = state;
  const unhealthyPasses = agent === "unhealthy" ? (state.agent?.unhealthyPasses ?? 0) + 1 : 0;
  return { needsOperator, rejected, backoff, unhealthyPasses, rescuedFor, moveSeconds, previous, repairs, heard };
}

/** The state after a pass that reached a decision. */
export function rememberPass(state: State, pass: FinishedPass): State {
  const dated = rememberClock(state, pass);
  const asked = rememberAnswers(rememberContact(dated, pass.facts), pass.facts);
  const cleared = forgetOtherVersions(forgetRepairs(asked, pass.facts), pass.facts, pass.record.pin);
  const known = rememberOutcome(cleared, pass);
  return {
    ...rememberBreakdown({ ...known, agent: agentAfter(state, pass) }, pass.record),
    step: undefined,
    recovered: undefined,
  };
}

/** Whether a pass learnt something that later passes rely on. */
export function hasLearnt(before: State, after: State): boolean {
  return learnt(before) !== learnt(after);
}

function learnt({ needsOperator, rejected, backoff, rescuedFor, repair, cutOffs, previous }: State): string {
  return JSON.stringify([needsOperator, rejected, backoff, rescuedFor, repair, cutOffs, previous]);
}

/** The state after a pass that ended before its decision: only the pass is added. The next pass ends an unfinished step. */
export function rememberBreakdown(state: State, record: PassRecord): State {
  const lastSuccessAt = isSuccess(record.outcome) ? record.startedAt : state.lastSuccessAt;
  return { ...state, lastSuccessAt, passes: [record, ...state.passes].slice(0, mostPasses) };
}

/** Replaces an unreadable state. Nobody knows what failed here, so nothing moves unless somebody asks. */
export function rememberUnreadable(why: string, now: UnixSeconds): State {
  return { ...emptyState, needsOperator: { at: now, why } };
}

/** Gives one rejected version another chance; all other failures stay known. */
export function forgetRejection(state: State, version: Version): State {
  return { ...state, rejected: state.rejected.filter(({ served }) => served !== version) };
}

/** Forgets failures and alternations: somebody has looked and wants another try. */
export function forgetFailures(state: State): State {
  return {
    ...state,
    needsOperator: undefined,
    rejected: [],
    backoff: undefined,
    repair: undefined,
    cutOffs: undefined,
    rescuedFor: undefined,
    heard: forgetAlternation(state.heard),
  };
}

/** Notes no time by a doubted clock. If the clock was set back, drops times in its future, which would block for ever. */
function rememberClock(state: State, { facts, clock }: FinishedPass): State {
  const reading = { now: clock.now, sinceBootSeconds: clock.sinceBootSeconds, bootId: clock.bootId };
  switch (facts.clock.kind) {
    case "wrong":
      return { ...state, doubtedClock: reading };
    case "plausible":
      return { ...state, clock: reading, doubtedClock: undefined };
    case "redated":
      return {
        ...state,
        clock: reading,
        doubtedClock: undefined,
        backoff: undefined,
        silentSince: state.silentSince === undefined ? undefined : Math.min(state.silentSince, facts.now),
      };
  }
}

function rememberContact(state: State, facts: Facts): State {
  const { now, clock, answer } = facts;
  if (answer.kind === "served") {
    const served = answer.served.kind === "none" ? "none" : answer.served.version;
    const urgency = urgencyOf(facts);
    const doubt = urgency.kind === "doubted" ? answer.doubt : undefined;
    const { isUnconfirmed } = answer;
    const lastContact = { at: now, served, isCritical: urgency.kind === "counts", isUnconfirmed, doubt } as const;
    return { ...state, lastContact, silentSince: undefined };
  }
  if (answer.kind === "not-asked") return state;
  // Notes no time by a wrong clock: a silence since 1970 would be a day old at once.
  return clock.kind === "wrong" ? state : { ...state, silentSince: state.silentSince ?? now };
}

/** The channel configurations under which this host got answers, including this pass's. Notes no time by a doubted clock. */
export function channelsHeard({ channels }: Pick<State, "channels">, { now, clock, answer }: Facts): State["channels"] {
  if (answer.kind !== "served" || answer.channels === undefined || clock.kind === "wrong") return channels;
  return hearChannels(channels, answer.channels, now);
}

/** The versions that the channel served, including this answer. Notes no time by a doubted clock, but counts the pass. */
export function versionsHeard(
  { heard }: Pick<State, "heard">,
  { now, clock, answer }: Pick<Facts, "now" | "clock" | "answer">,
  channel: ChannelName,
): Heard {
  if (answer.kind !== "served") return heard;
  const answered = { ...answer, channel };
  return clock.kind === "wrong" ? hearAgreement(heard, answered) : hear(heard, answered, now);
}

function rememberAnswers(state: State, facts: Facts): State {
  return { ...state, channels: channelsHeard(state, facts), heard: facts.memory.heard };
}

/** Forgets repairs of a package that is in order. */
function forgetRepairs(state: State, { installed, binary }: Facts): State {
  return installed.version === state.repair?.to && damageIn(installed, binary) !== undefined
    ? state
    : { ...state, repair: undefined };
}

/**
 * Clears delays for another served version, because a new one is another chance. A repair may be for the installed version, and a move for a pinned
 * one. Failed versions stay known, or servers that disagree would bring one back again and again.
 */
function forgetOtherVersions(state: State, { answer, installed }: Facts, pin: Version | undefined): State {
  if (answer.kind !== "served" || answer.isUnconfirmed === true || answer.served.kind === "none") return state;
  const aims: readonly (Version | undefined)[] = [answer.served.version, installed.version, pin];
  return {
    ...state,
    backoff: aims.includes(state.backoff?.served) ? state.backoff : undefined,
    rescuedFor: aims.includes(state.rescuedFor) ? state.rescuedFor : undefined,
    cutOffs: aims.includes(state.cutOffs?.to) ? state.cutOffs : undefined,
  };
}

function agentAfter(state: State, { facts, unit }: FinishedPass): AgentRecord | undefined {
  const { unhealthyPasses } = facts.memory;
  if (unit !== undefined) return { bootId: unit.bootId, restarts: unit.restarts, unhealthyPasses };
  return state.agent === undefined ? undefined : { ...state.agent, unhealthyPasses };
}

import { alternatingIn, mendAlternating, tellAlternating } from "../../rules/channel/alternating.ts";
import { flappingIn, mendFlapping, tellFlapping } from "../../rules/channel/flapping.ts";
import type { FaultCode } from "../../rules/fault/table.ts";
import { isCallOver } from "../plan/operator-need.ts";
import type { Decision, Stay } from "../plan/host-decision.ts";
import type { Facts } from "../plan/host-facts.ts";
import type { Foreseen } from "../plan/foreseen.ts";
import { moveReasons, stayReasons } from "../plan/host-reasons.ts";
import { isReadOnlyBothWays } from "../plan/decide-rollback.ts";
import type { Pin } from "../../rules/decide/gate-policy.ts";
import { damageIn, isRepairOfInstalled, type Movement } from "../plan/target.ts";
import type { NoSchedule } from "../../rules/decide/gate-facts.ts";
import { compare, isDone, stayLine, tellLift, type Comparison } from "../../rules/decide/comparison.ts";
import { urgencyOf } from "../../rules/decide/urgency.ts";
import { compareVersions, type Version } from "../../rules/version/version.ts";
import { channelsHeard } from "../record/remember.ts";
import type { NoRollback, State } from "../record/state.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { daySeconds } from "../../rules/window/seconds.ts";

export function comparisonOf(facts: Facts): Comparison | undefined {
  if (facts.answer.kind !== "served") return undefined;
  return compare(facts.installed.version, facts.answer.served);
}

/** The served version, `none`, or undefined if the answer was a fault. */
export function tellServed({ answer }: Facts): string | undefined {
  if (answer.kind !== "served") return undefined;
  return answer.served.kind === "none" ? "none" : answer.served.version;
}

/** A line of the journal: its level, its words and its data. */
export type Told = {
  readonly level: "info" | "notice" | "warning" | "error";
  readonly sentence: string;
  readonly fields: Readonly<Record<string, string | number | boolean | undefined>>;
};

/** Whether the decision is carried out now, or is only what a pass would do. */
export type Mood = "doing" | "would-do";

type Telling = {
  readonly channel: string;
  readonly pin?: Pin | undefined;
  readonly mood: Mood;
  /** The moment of the pass, if it is not now. */
  readonly at?: UnixSeconds | undefined;
  /** What the move would meet, if somebody looked. */
  readonly foreseen?: Foreseen | undefined;
  /** Why nothing says when the next upgrade may begin. */
  readonly noSchedule?: NoSchedule | undefined;
  /** The reason that the last warning gave. */
  readonly toldBefore?: string | undefined;
};

/** The decision as a log line: what a pass does, why, and when something can happen. */
export function tellDecision(facts: Facts, decision: Decision, telling: Telling): Told {
  const told = tellDecided(facts, decision, telling);
  const { noSchedule } = telling;
  return noSchedule === undefined || decision.kind !== "stay" || !isDone(decision) ? told : besides(told, noSchedule, telling);
}

/** Adds that an upgrade would wait for a schedule. Warns once, and whenever somebody asks. */
function besides({ level, sentence, fields }: Told, { why, told }: NoSchedule, { toldBefore }: Telling): Told {
  const joined = sentence.includes("; but ") ? "and" : "but";
  return {
    level: level === "info" && why !== toldBefore ? "warning" : level,
    sentence: `${sentence}; ${joined} ${told}, so an upgrade would wait: ${stayReasons[why].ends}`,
    fields: { ...fields, schedule: why },
  };
}

function tellDecided(facts: Facts, decision: Decision, { channel, pin, mood, at, foreseen }: Telling): Told {
  const ahead = foreseen && tellForeseen(foreseen);
  const line = comparisonOf(facts)?.line;
  switch (decision.kind) {
    case "stop":
      return tellFault(decision.fault);
    case "move": {
      const { target } = decision;
      const aim = aimBesides(facts, target, pin);
      const verb = mood === "doing" ? `${doing(target.kind)}${aim} now` : wouldDo(`${target.kind}${aim}`, at, foreseen);
      const why = target.kind === "repair" ? target.why : damageBefore(facts);
      const damage = why === undefined ? "" : `${why}, and `;
      const start = line === undefined ? "" : `${line}, `;
      // Gives no reason for a move that the package manager would refuse.
      const reason = foreseen?.kind === "refused" ? "" : `: ${damage}${decision.told}`;
      // With this level, `journalctl -p notice` shows every change on this host, and everything that an administrator has to see.
      const level = mood === "doing" ? "notice" : "info";
      return {
        level: ahead?.level ?? level,
        sentence: `${start}${verb}${reason}${ahead?.clause ?? ""}`,
        fields: { channel, why: decision.why, ...ahead?.fields },
      };
    }
    case "stay": {
      if (decision.why === "current") return tellCurrent(line ?? decision.told, facts, channel);
      if (decision.why === "pinned") return tellPinned(decision, facts, channel);
      const fields = {
        channel,
        why: decision.why,
        until: decision.until === undefined ? undefined : printInstant(decision.until),
        ...ahead?.fields,
      };
      const comparison = comparisonOf(facts);
      const damage = damageIn(facts.installed, facts.binary);
      const stays = comparison === undefined ? decision.told : stayLine(comparison, decision, at);
      // Adds damage to a reason to wait, which must not hide it.
      const damaged = damage === undefined ? stays : `${stays}; but ${damage}`;
      const doubt = doubtOf(facts, decision, pin);
      const sentence = doubt === undefined ? damaged : `${damaged}; ${doubt}`;
      const isGrave = damage !== undefined || stayReasons[decision.why].concerns === "somebody" || ahead?.level === "warning";
      const then = foreseen?.kind === "refused" ? "; as things are, it could not be done then either" : "";
      return {
        level: isGrave ? "warning" : "info",
        sentence: `${sentence}${tellLift(decision)}${then}${ahead?.clause ?? ""}`,
        fields,
      };
    }
  }
}

/** Why a critical update still waits. Undefined if it waits for another reason, such as a pin. */
export function doubtOf(facts: Facts, { why }: Stay, pin?: Pin): string | undefined {
  if (pin !== undefined) return undefined;
  const urgency = urgencyOf(facts);
  const isWaiting = comparisonOf(facts)?.isAvailable === true && stayReasons[why].gate > moveReasons.critical.gate;
  return isWaiting && urgency.kind === "doubted" ? `${doubtLead}: ${urgency.told}` : undefined;
}

const doubtLead = "it is called critical, which does not count yet";

/** The damage that could not be repaired and that the served version replaces. */
function damageBefore({ installed, binary }: Facts): string | undefined {
  const damage = damageIn(installed, binary);
  return damage === undefined ? undefined : `${damage} and could not be repaired`;
}

type Reached = { readonly line: string; readonly fields: Told["fields"]; readonly need: { readonly why: string } | undefined };

/** The served version is installed. Every pass warns if the agent is unhealthy all the same. */
function tellReached({ line, fields, need }: Reached, { agent, memory }: Facts): Told {
  if (need !== undefined) {
    return { level: "warning", sentence: `${line}; but ${need.why}; lifted by: svc-upgrade retry`, fields: { ...fields, agent } };
  }
  if (agent !== "unhealthy") return { level: "info", sentence: line, fields };
  const since = memory.unhealthyPasses > 1 ? `, for ${memory.unhealthyPasses} passes in a row` : "";
  return { level: "warning", sentence: `${line}; but the agent is unhealthy${since}`, fields: { ...fields, agent } };
}

function tellCurrent(line: string, facts: Facts, channel: string): Told {
  const { agent, installed, memory } = facts;
  const need = isCallOver({ agent, installed, rejected: memory.rejected }) ? undefined : memory.needsOperator;
  return tellReached({ line, fields: { channel }, need }, facts);
}

/** A pinned version does not end a call for a person, even if the agent runs. */
function tellPinned(decision: Stay, facts: Facts, channel: string): Told {
  const comparison = comparisonOf(facts);
  const line = comparison === undefined ? decision.told : stayLine(comparison, decision);
  const fields = { channel, why: decision.why };
  return tellReached({ line: `${line}; lifted by: ${decision.lift}`, fields, need: facts.memory.needsOperator }, facts);
}

export function tellFault(fault: {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly causes: readonly string[];
}): Told {
  const cause = fault.causes[0] === undefined || fault.message.includes(fault.causes[0]) ? undefined : fault.causes[0];
  return { level: "error", sentence: `${fault.message}; ${fault.hint}`, fields: { fault: fault.code, cause } };
}

type MoveTold = {
  readonly name: string;
  readonly from: PackageVersion | undefined;
  readonly to: PackageVersion;
  readonly activation: string;
  readonly seconds: number;
};

/** The end of a move, after everything was verified. */
export function tellMoved(movement: Movement, { name, from, to, activation, seconds }: MoveTold): Told {
  const way = from === undefined || from === to ? to : `from ${from} to ${to}`;
  const sentence = `${moved(movement.kind)} ${name} ${way}; ${activation}`;
  return { level: "notice", sentence, fields: { seconds } };
}

/** Says where the pin leads that an ordered rollback has left. */
export function tellPinLeft({ version }: Pin, left: Version | undefined, to: Version): Told | undefined {
  if (compareVersions(version, to) === 0) return undefined;
  const stays = left !== undefined && compareVersions(version, left) === 0;
  const sentence = stays
    ? `${version} is still pinned, and rejected now: nothing moves until \`svc-upgrade unpin\`, or \`svc-upgrade retry\`, which goes to it again`
    : `${version} is still pinned: a later pass moves to it; to follow the channel instead: \`svc-upgrade unpin\``;
  return { level: "warning", sentence, fields: {} };
}

type UndoneTold = {
  readonly name: string;
  /** The package that failed. */
  readonly from: string;
  readonly to: PackageVersion;
  readonly activation: string;
};

/** The end of a rollback, after everything was verified. */
export function tellUndone({ name, from, to, activation }: UndoneTold): Told {
  return {
    level: "warning",
    sentence: `rolled ${name} back from ${from} to ${to}; ${activation}`,
    fields: {},
  };
}

/** Logs the most serious message: a failure that nobody notices is the worst. */
export function tellNoRollback(back: NoRollback, cause: FaultCode): Told {
  if (back.kind === "not-tried") return { level: "error", sentence: `not rolled back: ${back.why}`, fields: {} };
  const { message, hint, code } = back.fault;
  if (isReadOnlyBothWays(cause, code)) {
    const sentence = `the rollback failed as well: ${message}; once that can be written to, a later pass repairs the package by itself`;
    return { level: "error", sentence, fields: { fault: code } };
  }
  return {
    level: "error",
    sentence: `the rollback failed at the step ${back.step}: ${message}; ${hint}; then \`svc-upgrade retry\``,
    fields: { fault: "way-back-failed", cause: code },
  };
}

/** Tells of a crash after the health check. The first pass that finds it says so, because there is no rollback any more. */
export function tellCrash({ agent, memory, installed, now }: Facts, { passes }: State, unit: UnitName): Told | undefined {
  if (agent !== "unhealthy" || memory.unhealthyPasses !== 1) return undefined;
  const move = passes.find(({ outcome }) => outcome.kind === "moved");
  if (move?.outcome.kind !== "moved" || move.outcome.to !== installed.packageVersion) return undefined;
  if (now - move.startedAt > crashIsRecentSeconds) return undefined;
  return {
    level: "warning",
    sentence: `${unit} was healthy after the move to ${move.outcome.to}, and is not any more; to undo it: svc-upgrade rollback`,
    fields: { unit },
  };
}

/** After a day, another cause is just as likely. */
const crashIsRecentSeconds: number = daySeconds;

/** Told only by the pass that finds it; `status` always shows it. */
export function tellChannels(facts: Facts, { channels }: State): Told | undefined {
  const found = flappingIn(channelsHeard({ channels }, facts), facts.now);
  if (found === undefined || flappingIn(channels, facts.now) !== undefined) return undefined;
  return { level: "warning", sentence: `${tellFlapping(found)}; ${mendFlapping}`, fields: {} };
}

/** Warns of servers that name no channel and serve two versions in turn. */
export function tellAlternation({ now, memory }: Facts, { heard }: State): Told | undefined {
  const found = alternatingIn(memory.heard, now);
  if (found === undefined || alternatingIn(heard, now) !== undefined) return undefined;
  return { level: "warning", sentence: `${tellAlternating(found)}; ${mendAlternating}`, fields: {} };
}

/** The answer of a `run` that moved. */
export function movedLine(movement: Movement): string {
  const from = movement.kind === "install" || movement.from === movement.to ? "" : `${movement.from ?? "half installed"} -> `;
  return `${moved(movement.kind)} (${from}${movement.to})`;
}

export function moved(kind: Movement["kind"]): string {
  return kind === "upgrade" || kind === "downgrade" ? `${kind}d` : `${kind}ed`;
}

/** The comparison names the served version; if a pin leads to another one, this names that too. */
function aimBesides({ answer }: Facts, target: Movement, pin: Pin | undefined): string {
  if (pin === undefined || answer.kind !== "served" || isRepairOfInstalled(target)) return "";
  const { served } = answer;
  return served.kind === "version" && compareVersions(served.version, target.to) === 0 ? "" : ` to ${target.to}`;
}

function wouldDo(what: string, at: UnixSeconds | undefined, foreseen: Foreseen | undefined): string {
  const would = foreseen?.kind === "refused" ? "could not" : "would";
  return at === undefined ? `a pass ${would} ${what} now` : `a pass at ${printInstant(at)} ${would} ${what}`;
}

/** Adds to the sentence what the dry run saw ahead. */
function tellForeseen(foreseen: Foreseen): {
  readonly level: Told["level"];
  readonly clause: string;
  readonly fields: Told["fields"];
} {
  switch (foreseen.kind) {
    case "possible":
      return { level: "info", clause: "", fields: {} };
    case "not-looked":
      return { level: "info", clause: `; ${foreseen.told}`, fields: {} };
    case "refused": {
      const { code, message, hint } = foreseen.fault;
      const lists = foreseen.listsAt === undefined ? undefined : printInstant(foreseen.listsAt);
      const again = code === "not-offered" ? ", by the package lists as they are here; a pass fetches them again first" : "";
      return { level: "warning", clause: `: ${message}${again}; ${hint}`, fields: { fault: code, lists } };
    }
  }
}

function doing(kind: Movement["kind"]): string {
  return kind === "upgrade" || kind === "downgrade" ? `${kind.slice(0, -1)}ing` : `${kind}ing`;
}

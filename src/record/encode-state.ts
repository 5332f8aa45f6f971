import { mostStretches, type Stretch } from "../channel/flapping.ts";
import type { Decision } from "../plan/decision.ts";
import type { RecordedClock } from "../decide/clock.ts";
import type { Backoff, OperatorNeed } from "../decide/facts.ts";
import type { Previous, Rejection, Repairs } from "../plan/facts.ts";
import type { FaultData } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import { writtenDoubt, writtenHeard } from "./encode-heard.ts";
import type { Movement } from "../plan/target.ts";
import { boundFault, faultBounds, faultNotOfTheFirst } from "./bounds.ts";
import { firstMost, nearest } from "./first-words.ts";
import {
  longestSentence,
  longestStateBytes,
  longestWord,
  mostEvidence,
  mostKept,
  mostMoveSeconds,
  mostPasses,
  mostRejected,
  mostSteps,
  stateSchema,
  type AgentRecord,
  type Cause,
  type Contact,
  type CutOffs,
  type KeptPackage,
  type NoWayBack,
  type Outcome,
  type PassRecord,
  type Recovered,
  type State,
  type StepInHand,
  type StepTime,
} from "./state.ts";
import { writing } from "./write.ts";

/**
 * The state as it lies on disk. Keys stand in one order, so that two states are compared by looking; every text and list
 * is bounded here, because a state that outgrew its cap could not be read again.
 */
export function encodeState(state: State): string {
  const encoded = print(state);
  // What is only carried is the first to go. A clone is without it.
  return new TextEncoder().encode(encoded).length <= longestStateBytes ? encoded : print(structuredClone(state));
}

function print(state: State): string {
  const keys = {
    schema: stateSchema,
    needsOperator: state.needsOperator && operatorNeed(state.needsOperator),
    rejected: state.rejected.slice(0, mostRejected).map(rejection),
    backoff: state.backoff && backoff(state.backoff),
    rescuedFor: state.rescuedFor,
    repair: state.repair && repairs(state.repair),
    cutOffs: state.cutOffs && cutOffs(state.cutOffs),
    agent: state.agent && agent(state.agent),
    lastContact: state.lastContact && contact(state.lastContact),
    channels: state.channels.slice(0, mostStretches).map(stretch),
    heard: writtenHeard(state.heard),
    silentSince: state.silentSince,
    searchedAt: state.searchedAt,
    previous: state.previous && previous(state.previous),
    kept: state.kept.slice(0, mostKept).map(keptPackage),
    heldUntil: state.heldUntil,
    recovered: state.recovered && recovered(state.recovered),
    clock: state.clock && clock(state.clock),
    doubtedClock: state.doubtedClock && clock(state.doubtedClock),
    takenOver: state.takenOver === undefined ? undefined : word(state.takenOver),
    lastSuccessAt: state.lastSuccessAt,
    moveSeconds: state.moveSeconds.slice(0, mostMoveSeconds),
    passes: state.passes.slice(0, mostPasses).map(pass),
    step: state.step && stepInHand(state.step),
  };
  return `${JSON.stringify(writing(state, keys, { most: firstMost }), undefined, 2)}\n`;
}

function pass(record: PassRecord): object {
  const keys = {
    id: word(record.id),
    startedAt: record.startedAt,
    seconds: record.seconds,
    installed: record.installed === undefined ? undefined : word(record.installed),
    served: record.served === undefined ? undefined : word(record.served),
    channel: record.channel === undefined ? undefined : word(record.channel),
    decision: decision(record.decision),
    outcome: outcome(record.outcome),
    steps: stepTimes(record.steps),
    recovered: record.recovered && recovered(record.recovered),
    unanswered: record.unanswered && fault(record.unanswered),
  };
  return writing(record, keys, { most: firstMost });
}

function decision(taken: Decision): object {
  switch (taken.kind) {
    case "stay": {
      const { kind, why, told, until, lift } = taken;
      const keys = { kind, why, told: sentence(told), until, lift: lift === undefined ? undefined : sentence(lift) };
      return writing(taken, keys, { words: { kind: nearest.decision, why: nearest.stayReason } });
    }
    case "move": {
      const { kind, why, told, target, until, exactly } = taken;
      const keys = { kind, why, told: sentence(told), target: movement(target), until, exactly };
      return writing(taken, keys, { words: { kind: nearest.decision, why: nearest.moveReason } });
    }
    case "stop":
      return writing(taken, { kind: taken.kind, fault: fault(taken.fault) }, { words: { kind: nearest.decision } });
  }
}

function movement(target: Movement): object {
  const words = { kind: nearest.movement };
  switch (target.kind) {
    case "install":
      return writing(target, { kind: target.kind, to: target.to }, { words });
    case "upgrade":
    case "downgrade":
      return writing(target, { kind: target.kind, from: target.from, to: target.to }, { words });
    case "repair":
      return writing(target, { kind: target.kind, from: target.from, to: target.to, why: sentence(target.why) }, { words });
  }
}

function outcome(reached: Outcome): object {
  const words = { kind: nearest.outcome, ...causeWords };
  switch (reached.kind) {
    case "stayed":
      return writing(reached, { kind: reached.kind }, { words });
    case "moved": {
      const { kind, from, to, seconds } = reached;
      return writing(reached, { kind, from: from === undefined ? undefined : word(from), to: word(to), seconds }, { words });
    }
    case "stopped":
      return writing(reached, { kind: reached.kind, fault: fault(reached.fault) }, { words });
    case "failed": {
      const keys = { kind: reached.kind, ...causeKeys(reached), back: reached.back && noWayBack(reached.back) };
      return writing(reached, keys, { words, most: firstMost });
    }
    case "undone": {
      const { kind, left, to, seconds } = reached;
      const keys = { kind, left: word(left), to: word(to), seconds, ...causeKeys(reached) };
      return writing(reached, keys, { words, most: firstMost });
    }
  }
}

const causeWords = { step: nearest.step };

function cause(why: Cause): object {
  return writing(why, causeKeys(why), { words: causeWords, most: firstMost });
}

function causeKeys({ step, fault: data, evidence }: Cause): Readonly<Record<keyof Cause, unknown>> {
  return { step, fault: fault(data), evidence: evidence.slice(-mostEvidence).map(word) };
}

function noWayBack(back: NoWayBack): object {
  const words = { kind: nearest.noWayBack, step: nearest.step };
  return back.kind === "not-tried"
    ? writing(back, { kind: back.kind, why: sentence(back.why) }, { words })
    : writing(back, { kind: back.kind, step: back.step, fault: fault(back.fault) }, { words });
}

function recovered(record: Recovered): object {
  const { step, served, ended } = record;
  return writing(record, { step, served, ended }, { words: { step: nearest.step, ended: nearest.recovered } });
}

function keptPackage(kept: KeptPackage): object {
  const { packageVersion, file, sha256, bytes } = kept;
  return writing(kept, { packageVersion, file: word(file), sha256: word(sha256), bytes });
}

function stepInHand(inHand: StepInHand): object {
  const keys = {
    pass: word(inHand.pass),
    step: inHand.step,
    movement: inHand.movement,
    why: inHand.why,
    startedAt: inHand.startedAt,
    served: inHand.served,
    from: inHand.from,
    to: inHand.to,
    agentBefore: inHand.agentBefore,
    changingSince: inHand.changingSince,
    hold: inHand.hold,
    cause: inHand.cause && cause(inHand.cause),
    recoveries: inHand.recoveries,
    done: stepTimes(inHand.done),
  };
  const words = {
    step: nearest.step,
    movement: nearest.movement,
    why: nearest.moveReason,
    agentBefore: nearest.agent,
    hold: nearest.hold,
  };
  return writing(inHand, keys, { words, most: { done: firstMost.steps } });
}

function stepTimes(steps: readonly StepTime[]): readonly object[] {
  return steps
    .slice(0, mostSteps)
    .map((time) => writing(time, { step: time.step, ms: time.ms }, { words: { step: nearest.step } }));
}

function previous(left: Previous): object {
  const { version, packageVersion, leftAt } = left;
  return writing(left, { version, packageVersion, leftAt });
}

function operatorNeed(need: OperatorNeed): object {
  return writing(need, { at: need.at, why: sentence(need.why) });
}

function rejection(rejected: Rejection): object {
  const { served, packageVersion, build, at, why } = rejected;
  const written = build && writing(build, { sha256: build.sha256, bytes: build.bytes });
  return writing(rejected, { served, packageVersion, build: written, at, why: sentence(why) });
}

function backoff(waiting: Backoff): object {
  const { served, cause: last, failures, until } = waiting;
  return writing(waiting, { served, cause: fault(last), failures, until });
}

/** A key that most states do without is left out: the first release never wrote it. */
function repairs(record: Repairs): object {
  return writing(record, { to: record.to, attempts: record.attempts, isNowhere: record.isNowhere || undefined });
}

function cutOffs(record: CutOffs): object {
  return writing(record, { to: record.to, attempts: record.attempts });
}

function agent(record: AgentRecord): object {
  const { bootId, restarts, unhealthyPasses } = record;
  return writing(record, { bootId: word(bootId), restarts, unhealthyPasses });
}

function contact(last: Contact): object {
  const { at, served, isCritical, doubt } = last;
  return writing(last, { at, served, isCritical, doubt: doubt && writtenDoubt(doubt) });
}

function stretch(heard: Stretch): object {
  const { digest, since, until } = heard;
  return writing(heard, { digest, since, until });
}

function clock(reading: RecordedClock): object {
  const { now, sinceBootSeconds, bootId } = reading;
  return writing(reading, { now, sinceBootSeconds, bootId: word(bootId) });
}

function fault(data: FaultData): object {
  const bound = boundFault(data, faultBounds);
  const { code, message, hint, causes } = bound;
  return writing(bound, { code, message, hint, causes }, faultNotOfTheFirst);
}

function sentence(found: string): string {
  return quote(found, longestSentence);
}

function word(found: string): string {
  return quote(found, longestWord);
}

import { mostStretches } from "../channel/flapping.ts";
import type { Decision } from "../plan/decision.ts";
import type { RecordedClock } from "../plan/clock.ts";
import type { Backoff, OperatorNeed, Previous, Rejection, Repairs } from "../plan/facts.ts";
import type { FaultData } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import { boundFault, faultBounds } from "./bounds.ts";
import { writtenDoubt, writtenHeard } from "./encode-heard.ts";
import {
  longestSentence,
  longestWord,
  mostEvidence,
  mostKept,
  mostMoveSeconds,
  mostPasses,
  mostRejected,
  mostSteps,
  stateSchema,
  type Cause,
  type KeptPackage,
  type NoWayBack,
  type Outcome,
  type PassRecord,
  type Recovered,
  type State,
  type StepInHand,
  type StepTime,
} from "./state.ts";

/**
 * The state as it lies on disk. Keys stand in one order, so that two states are compared by looking; every text and list
 * is bounded here, because a state that outgrew its cap could not be read again.
 */
export function encodeState(state: State): string {
  const written = {
    schema: stateSchema,
    needsOperator: state.needsOperator && operatorNeed(state.needsOperator),
    rejected: state.rejected.slice(0, mostRejected).map(rejection),
    backoff: state.backoff && backoff(state.backoff),
    rescuedFor: state.rescuedFor,
    repair: state.repair && repairs(state.repair),
    cutOffs: state.cutOffs && { to: state.cutOffs.to, attempts: state.cutOffs.attempts },
    agent: state.agent && {
      bootId: word(state.agent.bootId),
      restarts: state.agent.restarts,
      unhealthyPasses: state.agent.unhealthyPasses,
    },
    lastContact: state.lastContact && {
      at: state.lastContact.at,
      served: state.lastContact.served,
      isCritical: state.lastContact.isCritical,
      doubt: state.lastContact.doubt && writtenDoubt(state.lastContact.doubt),
    },
    channels: state.channels.slice(0, mostStretches).map(({ digest, since, until }) => ({ digest, since, until })),
    heard: writtenHeard(state.heard),
    silentSince: state.silentSince,
    searchedAt: state.searchedAt,
    previous: state.previous && previous(state.previous),
    kept: state.kept.slice(0, mostKept).map(keptPackage),
    heldUntil: state.heldUntil,
    recovered: state.recovered && recovered(state.recovered),
    clock: state.clock && clock(state.clock),
    doubtedClock: state.doubtedClock && clock(state.doubtedClock),
    lastSuccessAt: state.lastSuccessAt,
    moveSeconds: state.moveSeconds.slice(0, mostMoveSeconds),
    passes: state.passes.slice(0, mostPasses).map(pass),
    step: state.step && stepInHand(state.step),
  };
  return `${JSON.stringify(written, undefined, 2)}\n`;
}

function pass(record: PassRecord): object {
  return {
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
}

function decision(taken: Decision): object {
  switch (taken.kind) {
    case "stay":
      return {
        kind: taken.kind,
        why: taken.why,
        told: sentence(taken.told),
        until: taken.until,
        lift: taken.lift === undefined ? undefined : sentence(taken.lift),
      };
    case "move":
      return {
        kind: taken.kind,
        why: taken.why,
        told: sentence(taken.told),
        target: movement(taken.target),
        until: taken.until,
        exactly: taken.exactly,
      };
    case "stop":
      return { kind: taken.kind, fault: fault(taken.fault) };
  }
}

function movement(target: Extract<Decision, { kind: "move" }>["target"]): object {
  switch (target.kind) {
    case "install":
      return { kind: target.kind, to: target.to };
    case "upgrade":
    case "downgrade":
      return { kind: target.kind, from: target.from, to: target.to };
    case "repair":
      return { kind: target.kind, from: target.from, to: target.to, why: sentence(target.why) };
  }
}

function outcome(reached: Outcome): object {
  switch (reached.kind) {
    case "stayed":
      return { kind: reached.kind };
    case "moved":
      return {
        kind: reached.kind,
        from: reached.from === undefined ? undefined : word(reached.from),
        to: word(reached.to),
        seconds: reached.seconds,
      };
    case "stopped":
      return { kind: reached.kind, fault: fault(reached.fault) };
    case "failed":
      return { kind: reached.kind, ...cause(reached), back: reached.back && noWayBack(reached.back) };
    case "undone":
      return {
        kind: reached.kind,
        left: word(reached.left),
        to: word(reached.to),
        seconds: reached.seconds,
        ...cause(reached),
      };
  }
}

function cause({ step, fault: data, evidence }: Cause): Cause {
  return { step, fault: fault(data), evidence: evidence.slice(-mostEvidence).map(word) };
}

function noWayBack(back: NoWayBack): NoWayBack {
  return back.kind === "not-tried"
    ? { kind: back.kind, why: sentence(back.why) }
    : { kind: back.kind, step: back.step, fault: fault(back.fault) };
}

function recovered({ step, served, ended }: Recovered): Recovered {
  return { step, served, ended };
}

function keptPackage({ packageVersion, file, sha256, bytes }: KeptPackage): KeptPackage {
  return { packageVersion, file: word(file), sha256: word(sha256), bytes };
}

function stepInHand(inHand: StepInHand): object {
  return {
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
}

function stepTimes(steps: readonly StepTime[]): readonly StepTime[] {
  return steps.slice(0, mostSteps).map(({ step, ms }) => ({ step, ms }));
}

function previous({ version, packageVersion, leftAt }: Previous): object {
  return { version, packageVersion, leftAt };
}

function operatorNeed({ at, why }: OperatorNeed): object {
  return { at, why: sentence(why) };
}

function rejection({ served, packageVersion, build, at, why }: Rejection): object {
  return { served, packageVersion, build: build && { sha256: build.sha256, bytes: build.bytes }, at, why: sentence(why) };
}

/** A key that most states do without is left out: an earlier release never wrote it. */
function repairs({ to, attempts, isNowhere }: Repairs): object {
  return { to, attempts, isNowhere: isNowhere || undefined };
}

function backoff({ served, cause: last, failures, until }: Backoff): object {
  return { served, cause: fault(last), failures, until };
}

function clock({ now, sinceBootSeconds, bootId }: RecordedClock): object {
  return { now, sinceBootSeconds, bootId: word(bootId) };
}

function fault(data: FaultData): FaultData {
  return boundFault(data, faultBounds);
}

function sentence(found: string): string {
  return quote(found, longestSentence);
}

function word(found: string): string {
  return quote(found, longestWord);
}

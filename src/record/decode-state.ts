import type { RecordedClock } from "../plan/clock.ts";
import type { Decision, Move, Stay, Stop } from "../plan/decision.ts";
import type { Backoff, OperatorNeed, Previous, Rejection } from "../plan/facts.ts";
import { moveReasons, stayReasons } from "../plan/reasons.ts";
import type { Movement } from "../plan/target.ts";
import type { Version } from "../version/version.ts";
import { lengthOfQuoted, readFault } from "./bounds.ts";
import {
  count,
  finite,
  listOf,
  literal,
  object,
  oneOf,
  oneOfKind,
  orElse,
  orUndefined,
  packageVersion,
  readJson,
  text,
  truth,
  version,
  type Reader,
  type Reading,
} from "./read.ts";
import {
  longestSentence,
  longestWord,
  mostMoveSeconds,
  mostPasses,
  mostRejected,
  mostSteps,
  stateSchema,
  type AgentRecord,
  type Contact,
  type Outcome,
  type PassRecord,
  type RepairRecord,
  type State,
  type StepInHand,
  type StepName,
  type StepTime,
} from "./state.ts";

/** Strict in types, tolerant of keys that a newer minor version added. Anything else is unreadable as a whole: half a state is none. */
export function decodeState(found: string): Reading<State> {
  return readJson(found, (value, at) => {
    schema(value, at);
    return state(value, at);
  });
}

const word = text(lengthOfQuoted(longestWord));
const sentence = text(lengthOfQuoted(longestSentence));
const fault = readFault("tolerant");

const schema = object<{ readonly schema: typeof stateSchema }>({ schema: literal(stateSchema) });

const stepNames: Readonly<Record<StepName, true>> = {
  refresh: true,
  offer: true,
  simulate: true,
  install: true,
  verify: true,
  activate: true,
};

const stay: Reader<Stay> = wholly(
  object<{ readonly [K in keyof Stay]-?: Stay[K] | undefined }>({
    kind: literal("stay"),
    why: oneOf(stayReasons),
    told: sentence,
    until: orUndefined(finite),
    lift: orUndefined(sentence),
  }),
);

const movement = oneOfKind<Movement>({
  install: object<Extract<Movement, { kind: "install" }>>({ kind: literal("install"), to: version }),
  upgrade: object<Extract<Movement, { kind: "upgrade" }>>({ kind: literal("upgrade"), from: version, to: version }),
  downgrade: object<Extract<Movement, { kind: "downgrade" }>>({ kind: literal("downgrade"), from: version, to: version }),
  repair: object<Extract<Movement, { kind: "repair" }>>({
    kind: literal("repair"),
    from: orUndefined(version),
    to: version,
    why: sentence,
  }),
});

const decision = oneOfKind<Decision>({
  stay,
  move: wholly(
    object<{ readonly [K in keyof Move]-?: Move[K] | undefined }>({
      kind: literal("move"),
      why: oneOf(moveReasons),
      told: sentence,
      target: movement,
      exactly: orUndefined(packageVersion),
    }),
  ),
  stop: object<Stop>({ kind: literal("stop"), fault }),
});

const outcome = oneOfKind<Outcome>({
  stayed: object<Extract<Outcome, { kind: "stayed" }>>({ kind: literal("stayed") }),
  moved: object<Extract<Outcome, { kind: "moved" }>>({
    kind: literal("moved"),
    from: orUndefined(word),
    to: word,
    seconds: finite,
  }),
  stopped: object<Extract<Outcome, { kind: "stopped" }>>({ kind: literal("stopped"), fault }),
  failed: object<Extract<Outcome, { kind: "failed" }>>({ kind: literal("failed"), step: oneOf(stepNames), fault }),
});

const stepTime = object<StepTime>({ step: oneOf(stepNames), ms: finite });

const pass = object<PassRecord>({
  id: word,
  startedAt: finite,
  seconds: finite,
  installed: orUndefined(word),
  served: orUndefined(word),
  channel: orUndefined(word),
  decision,
  outcome,
  steps: orElse(listOf(stepTime, mostSteps), []),
});

const clock = object<RecordedClock>({ now: finite, sinceBootSeconds: finite, bootId: word });

const servedOrNone: Reader<Version | "none"> = (value, at) => (value === "none" ? value : version(value, at));

const state = object<State>({
  needsOperator: orUndefined(object<OperatorNeed>({ at: finite, why: sentence })),
  rejected: listOf(object<Rejection>({ served: version, packageVersion, at: finite, why: sentence }), mostRejected),
  backoff: orUndefined(object<Backoff>({ served: version, cause: fault, failures: count, until: finite })),
  rescuedFor: orUndefined(version),
  repair: orUndefined(object<RepairRecord>({ to: version, attempts: count })),
  agent: orUndefined(object<AgentRecord>({ bootId: word, restarts: count, unhealthyPasses: count })),
  lastContact: orUndefined(object<Contact>({ at: finite, served: servedOrNone, isCritical: truth })),
  silentSince: orUndefined(finite),
  previous: orUndefined(object<Previous>({ version, packageVersion, leftAt: finite })),
  heldUntil: orUndefined(finite),
  clock: orUndefined(clock),
  doubtedClock: orUndefined(clock),
  lastSuccessAt: orUndefined(finite),
  moveSeconds: listOf(finite, mostMoveSeconds),
  passes: listOf(pass, mostPasses),
  step: orUndefined(
    object<StepInHand>({
      pass: word,
      step: oneOf(stepNames),
      startedAt: finite,
      served: version,
      from: orUndefined(packageVersion),
      to: orUndefined(packageVersion),
      done: orElse(listOf(stepTime, mostSteps), []),
    }),
  ),
});

/** What has nothing to say is absent there, not undefined. */
function wholly<T extends object>(reader: Reader<{ readonly [K in keyof T]-?: T[K] | undefined }>): Reader<T> {
  return (value, at) => Object.fromEntries(Object.entries(reader(value, at)).filter(([, found]) => found !== undefined)) as T;
}

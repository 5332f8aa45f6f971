import type { RecordedClock } from "../plan/clock.ts";
import type { Decision, Move, MoveReason, Stay, StayReason, Stop } from "../plan/decision.ts";
import type { Backoff, OperatorNeed, Rejection } from "../plan/facts.ts";
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
  stateSchema,
  type AgentRecord,
  type Contact,
  type Outcome,
  type PassRecord,
  type RepairRecord,
  type State,
  type StepInHand,
  type StepName,
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

const stayReasons: Readonly<Record<StayReason, true>> = {
  "no-version": true,
  current: true,
  "needs-operator": true,
  held: true,
  "package-held": true,
  rejected: true,
  "backing-off": true,
  "downgrade-refused": true,
  "major-refused": true,
  never: true,
  clock: true,
  blackout: true,
  "window-too-short": true,
  "outside-window": true,
  "schedule-missing": true,
  "schedule-empty": true,
  "schedule-invalid": true,
  "schedule-stale": true,
};

const moveReasons: Readonly<Record<MoveReason, true>> = {
  asked: true,
  critical: true,
  window: true,
  rescue: true,
  anytime: true,
};

const stepNames: Readonly<Record<StepName, true>> = {
  refresh: true,
  offer: true,
  simulate: true,
  install: true,
  verify: true,
  activate: true,
};

const wholeStay = object<{ readonly [K in keyof Stay]-?: Stay[K] | undefined }>({
  kind: literal("stay"),
  why: oneOf(stayReasons),
  told: sentence,
  until: orUndefined(finite),
  lift: orUndefined(sentence),
});

/** `until` and `lift` are absent, not undefined, where a stay has none. */
const stay: Reader<Stay> = (value, at) =>
  Object.fromEntries(Object.entries(wholeStay(value, at)).filter(([, found]) => found !== undefined)) as Stay;

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
  move: object<Move>({ kind: literal("move"), why: oneOf(moveReasons), told: sentence, target: movement }),
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

const pass = object<PassRecord>({
  id: word,
  startedAt: finite,
  seconds: finite,
  installed: orUndefined(word),
  served: orUndefined(word),
  decision,
  outcome,
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
  clock: orUndefined(clock),
  doubtedClock: orUndefined(clock),
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
    }),
  ),
});

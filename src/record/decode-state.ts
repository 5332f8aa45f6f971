import { nothingHeard } from "../channel/heard.ts";
import { mostStretches, type Stretch } from "../channel/flapping.ts";
import type { RecordedClock } from "../plan/clock.ts";
import type { Decision, Move, Stay, Stop } from "../plan/decision.ts";
import type { AgentCondition, Backoff, OperatorNeed, Previous, Rejection, Repairs, Build } from "../plan/facts.ts";
import { moveReasons, stayReasons } from "../plan/reasons.ts";
import type { Movement } from "../plan/target.ts";
import type { Version } from "../version/version.ts";
import { lengthOfQuoted, readFault } from "./bounds.ts";
import { doubtReader, heard } from "./decode-heard.ts";
import {
  channelsDigest,
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
import { stepParts } from "./steps.ts";

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

const conditions: Readonly<Record<AgentCondition, true>> = { running: true, unhealthy: true, stopped: true, unknown: true };

const movements: Readonly<Record<Movement["kind"], true>> = { install: true, upgrade: true, downgrade: true, repair: true };

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
      until: orUndefined(finite),
      exactly: orUndefined(packageVersion),
    }),
  ),
  stop: object<Stop>({ kind: literal("stop"), fault }),
});

const causes = {
  step: oneOf(stepParts),
  fault,
  // An earlier release kept none.
  evidence: orElse(listOf(word, mostEvidence), []),
};

const noWayBack = oneOfKind<NoWayBack>({
  "not-tried": object<Extract<NoWayBack, { kind: "not-tried" }>>({ kind: literal("not-tried"), why: sentence }),
  failed: object<Extract<NoWayBack, { kind: "failed" }>>({ kind: literal("failed"), step: oneOf(stepParts), fault }),
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
  failed: object<Extract<Outcome, { kind: "failed" }>>({ kind: literal("failed"), back: orUndefined(noWayBack), ...causes }),
  undone: object<Extract<Outcome, { kind: "undone" }>>({
    kind: literal("undone"),
    left: word,
    to: word,
    seconds: finite,
    ...causes,
  }),
});

const stepTime = object<StepTime>({ step: oneOf(stepParts), ms: finite });

const recovered = object<Recovered>({
  step: oneOf(stepParts),
  served: version,
  ended: oneOf({ unchanged: true, finished: true, undone: true, "not-mended": true }),
});

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
  recovered: orUndefined(recovered),
  unanswered: orUndefined(fault),
});

const build = object<Build>({ sha256: orUndefined(word), bytes: orUndefined(count) });

const keptPackage = object<KeptPackage>({ packageVersion, file: word, sha256: word, bytes: count });

const clock = object<RecordedClock>({ now: finite, sinceBootSeconds: finite, bootId: word });

const servedOrNone: Reader<Version | "none"> = (value, at) => (value === "none" ? value : version(value, at));

const state = object<State>({
  needsOperator: orUndefined(object<OperatorNeed>({ at: finite, why: sentence })),
  rejected: listOf(
    object<Rejection>({ served: version, packageVersion, build: orUndefined(build), at: finite, why: sentence }),
    mostRejected,
  ),
  backoff: orUndefined(object<Backoff>({ served: version, cause: fault, failures: count, until: finite })),
  rescuedFor: orUndefined(version),
  repair: orUndefined(object<Repairs>({ to: version, attempts: count, isNowhere: orElse(truth, false) })),
  cutOffs: orUndefined(object<CutOffs>({ to: version, attempts: count })),
  agent: orUndefined(object<AgentRecord>({ bootId: word, restarts: count, unhealthyPasses: count })),
  lastContact: orUndefined(
    object<Contact>({ at: finite, served: servedOrNone, isCritical: truth, doubt: orUndefined(doubtReader("tolerant")) }),
  ),
  // An earlier release did not look.
  channels: orElse(listOf(object<Stretch>({ digest: channelsDigest, since: finite, until: finite }), mostStretches), []),
  heard: orElse(heard, nothingHeard),
  silentSince: orUndefined(finite),
  searchedAt: orUndefined(finite),
  previous: orUndefined(object<Previous>({ version, packageVersion, leftAt: finite })),
  kept: orElse(listOf(keptPackage, mostKept), []),
  heldUntil: orUndefined(finite),
  recovered: orUndefined(recovered),
  clock: orUndefined(clock),
  doubtedClock: orUndefined(clock),
  lastSuccessAt: orUndefined(finite),
  moveSeconds: listOf(finite, mostMoveSeconds),
  passes: listOf(pass, mostPasses),
  step: orUndefined(
    object<StepInHand>({
      pass: word,
      step: oneOf(stepParts),
      movement: orElse(oneOf(movements), "upgrade"),
      why: orElse(oneOf(moveReasons), "window"),
      startedAt: finite,
      served: version,
      from: orUndefined(packageVersion),
      to: orUndefined(packageVersion),
      agentBefore: orUndefined(oneOf(conditions)),
      changingSince: orUndefined(finite),
      hold: orElse(oneOf({ none: 0, lifted: 0 }), "none"),
      cause: orUndefined(object<Cause>(causes)),
      recoveries: orElse(count, 0),
      done: orElse(listOf(stepTime, mostSteps), []),
    }),
  ),
});

/** What has nothing to say is absent there, not undefined. */
function wholly<T extends object>(reader: Reader<{ readonly [K in keyof T]-?: T[K] | undefined }>): Reader<T> {
  return (value, at) => Object.fromEntries(Object.entries(reader(value, at)).filter(([, found]) => found !== undefined)) as T;
}

import { nothingHeard } from "../channel/heard.ts";
import { mostStretches, type Stretch } from "../channel/flapping.ts";
import type { RecordedClock } from "../plan/clock.ts";
import type { Decision, Move, Stay, Stop } from "../plan/decision.ts";
import type { AgentCondition, Backoff, OperatorNeed, Previous, Rejection, Repairs, Build } from "../plan/facts.ts";
import { moveReasons, stayReasons } from "../plan/reasons.ts";
import type { Movement } from "../plan/target.ts";
import type { Version } from "../version/version.ts";
import { carriedOver } from "../shape/beyond.ts";
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
  standIn,
  text,
  truth,
  version,
  type Reader,
  type Reading,
} from "./read.ts";
import {
  longestCarriedByState,
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

/**
 * Strict in types. A later release may have added keys, which are carried along, and words: in what is past these are kept as they
 * are, and something that is known here stands for them. What a pass goes on from has to be understood: a rejection, a step in
 * hand. Anything else is unreadable as a whole: half a state is none.
 */
export function decodeState(found: string): Reading<State> {
  return readJson(found, (value, at) => {
    const { schema: _schema, ...read } = state(schemaFirst(value, at), at);
    return read;
  });
}

const word = text(lengthOfQuoted(longestWord));
const sentence = text(lengthOfQuoted(longestSentence));
/** For a fault of a later release in what is past. Its own words say what it was. */
const fault = readFault({ instead: { code: "os-failed" } });
const faultInHand = readFault({});

/** What stands for a step of a later release: the package may have been changed by it. */
const someStep = { step: "install" } as const;

const schema = { schema: literal(stateSchema) };

/** Under another number nothing here means what it says. */
function schemaFirst(value: unknown, at: string): unknown {
  object(schema, { unknown: "ignored" })(value, at);
  return value;
}

export const conditions: Readonly<Record<AgentCondition, true>> = {
  running: true,
  unhealthy: true,
  stopped: true,
  unknown: true,
};

const movements: Readonly<Record<Movement["kind"], true>> = { install: true, upgrade: true, downgrade: true, repair: true };

const stay: Reader<Stay> = wholly(
  object<{ readonly [K in keyof Stay]-?: Stay[K] | undefined }>(
    {
      kind: literal("stay"),
      why: oneOf(stayReasons),
      told: sentence,
      until: orUndefined(finite),
      lift: orUndefined(sentence),
    },
    { instead: { why: "held" } },
  ),
);

const install = object<Extract<Movement, { kind: "install" }>>(
  { kind: literal("install"), to: version },
  { instead: { kind: "install" } },
);

const movement = oneOfKind<Movement>(
  {
    install,
    upgrade: object<Extract<Movement, { kind: "upgrade" }>>({ kind: literal("upgrade"), from: version, to: version }),
    downgrade: object<Extract<Movement, { kind: "downgrade" }>>({ kind: literal("downgrade"), from: version, to: version }),
    repair: object<Extract<Movement, { kind: "repair" }>>({
      kind: literal("repair"),
      from: orUndefined(version),
      to: version,
      why: sentence,
    }),
  },
  [install],
);

const stop = object<Stop>({ kind: literal("stop"), fault }, { instead: { kind: "stop" } });

const decision = oneOfKind<Decision>(
  {
    stay,
    move: wholly(
      object<{ readonly [K in keyof Move]-?: Move[K] | undefined }>(
        {
          kind: literal("move"),
          why: oneOf(moveReasons),
          told: sentence,
          target: movement,
          until: orUndefined(finite),
          exactly: orUndefined(packageVersion),
        },
        { instead: { why: "asked" } },
      ),
    ),
    stop,
  },
  [stop, standIn({ kind: "stay", why: "held", told: "a later release of svc-upgrade decided this" })],
);

// An earlier release kept none.
const evidence: Reader<readonly string[]> = orElse(listOf(word, mostEvidence), []);
const causes = { step: oneOf(stepParts), fault, evidence };

const noWayBack = oneOfKind<NoWayBack>(
  {
    "not-tried": object<Extract<NoWayBack, { kind: "not-tried" }>>({ kind: literal("not-tried"), why: sentence }),
    failed: object<Extract<NoWayBack, { kind: "failed" }>>(
      { kind: literal("failed"), step: oneOf(stepParts), fault },
      { instead: someStep },
    ),
  },
  [standIn({ kind: "not-tried", why: "a later release of svc-upgrade knows why" })],
);

const stopped = object<Extract<Outcome, { kind: "stopped" }>>(
  { kind: literal("stopped"), fault },
  { instead: { kind: "stopped" } },
);

const outcome = oneOfKind<Outcome>(
  {
    stayed: object<Extract<Outcome, { kind: "stayed" }>>({ kind: literal("stayed") }),
    moved: object<Extract<Outcome, { kind: "moved" }>>({
      kind: literal("moved"),
      from: orUndefined(word),
      to: word,
      seconds: finite,
    }),
    stopped,
    failed: object<Extract<Outcome, { kind: "failed" }>>(
      { kind: literal("failed"), back: orUndefined(noWayBack), ...causes },
      { instead: someStep },
    ),
    undone: object<Extract<Outcome, { kind: "undone" }>>(
      {
        kind: literal("undone"),
        left: word,
        to: word,
        seconds: finite,
        ...causes,
      },
      { instead: someStep },
    ),
  },
  [stopped, standIn({ kind: "stayed" })],
);

const stepTime = object<StepTime>({ step: oneOf(stepParts), ms: finite }, { instead: someStep });

const recovered = object<Recovered>(
  {
    step: oneOf(stepParts),
    served: version,
    ended: oneOf({ unchanged: true, finished: true, undone: true, "not-mended": true }),
  },
  { instead: { ...someStep, ended: "finished" } },
);

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

export const build: Reader<Build> = object<Build>({ sha256: orUndefined(word), bytes: orUndefined(count) });

export const keptPackage: Reader<KeptPackage> = object<KeptPackage>({ packageVersion, file: word, sha256: word, bytes: count });

export const agentRecord: Reader<AgentRecord> = object<AgentRecord>({ bootId: word, restarts: count, unhealthyPasses: count });

const clock = object<RecordedClock>({ now: finite, sinceBootSeconds: finite, bootId: word });

const servedOrNone: Reader<Version | "none"> = (value, at) => (value === "none" ? value : version(value, at));

const state = object<State & { readonly schema: typeof stateSchema }>(
  {
    ...schema,
    needsOperator: orUndefined(object<OperatorNeed>({ at: finite, why: sentence })),
    rejected: listOf(
      object<Rejection>({ served: version, packageVersion, build: orUndefined(build), at: finite, why: sentence }),
      mostRejected,
    ),
    backoff: orUndefined(object<Backoff>({ served: version, cause: fault, failures: count, until: finite })),
    rescuedFor: orUndefined(version),
    repair: orUndefined(object<Repairs>({ to: version, attempts: count, isNowhere: orElse(truth, false) })),
    cutOffs: orUndefined(object<CutOffs>({ to: version, attempts: count })),
    agent: orUndefined(agentRecord),
    lastContact: orUndefined(
      object<Contact>({ at: finite, served: servedOrNone, isCritical: truth, doubt: orUndefined(doubtReader({})) }),
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
    takenOver: orUndefined(word),
    lastSuccessAt: orUndefined(finite),
    moveSeconds: listOf(finite, mostMoveSeconds),
    passes: listOf(pass, mostPasses),
    step: orUndefined(
      object<StepInHand>(
        {
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
          cause: orUndefined(object<Cause>({ step: oneOf(stepParts), fault: faultInHand, evidence })),
          recoveries: orElse(count, 0),
          done: orElse(listOf(stepTime, mostSteps), []),
        },
        { unknown: "changed by key" },
      ),
    ),
  },
  { unknown: "changed by key", longestCarried: longestCarriedByState },
);

/** What has nothing to say is absent there, not undefined. */
function wholly<T extends object>(reader: Reader<{ readonly [K in keyof T]-?: T[K] | undefined }>): Reader<T> {
  return (value, at) => {
    const read = reader(value, at);
    const said = Object.fromEntries(Object.entries(read).filter(([, found]) => found !== undefined)) as T;
    return carriedOver(said, read);
  };
}

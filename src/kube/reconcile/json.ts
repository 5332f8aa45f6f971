import type { Served } from "../../rules/channel/answer.ts";
import { compare } from "../../rules/decide/comparison.ts";
import { objectFaultTable } from "../../rules/fault/object-table.ts";
import { faultTable } from "../../rules/fault/table.ts";
import { always, answer, instant, kindsOf, line, list, orNull, recordOf, sometimes, told } from "../../rules/shape/answer.ts";
import { count, exactly, truth, words } from "../../rules/shape/shape.ts";
import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Decision, ImageExchange, Move, Stay, Stop } from "../objects/object-decision.ts";
import type { ObjectName } from "../objects/object-facts.ts";
import { moveSteps } from "../objects/move-memory.ts";
import { referenceOf } from "../objects/object-lift.ts";
import { moveReasons, stayReasons } from "../objects/object-reasons.ts";
import type { Kept } from "../objects/record.ts";
import { annotationOf, type Ask, type SeenObject } from "../objects/seen.ts";

const target = recordOf<ImageExchange>()({
  kind: always("in which direction", words({ upgrade: "to a newer version", downgrade: "to an older version" }), "kind"),
  to: always("the version that is moved to", line, "to"),
  image: always("the image that is set", line, "image"),
  digest: sometimes("the image's digest, where a registry has told it", line, "digest"),
});

const inWords = "the reason in words, for people; the words may change";

const decided = kindsOf<Decision>()({
  stay: recordOf<Stay>("everything stays as it is")({
    kind: always("nothing moves", exactly("stay"), "kind"),
    why: always("the reason, for programs", words(stayReasons), "why"),
    told: always(inWords, line, "told"),
    until: sometimes("when it ends by itself", instant, "until"),
    lift: sometimes("what lifts it where time alone does not: a command to type, or what has to happen", line, "lift"),
  }),
  move: recordOf<Move>("the object moves to another version")({
    kind: always("something moves", exactly("move"), "kind"),
    why: always("the reason, for programs", words(moveReasons), "why"),
    told: always(inWords, line, "told"),
    target: always("where to", target, "target"),
  }),
  stop: recordOf<Stop>("there is no decision")({
    kind: always("a fault ends it", exactly("stop"), "kind"),
    why: always("the code of the fault, for programs", words<string>({ ...objectFaultTable, ...faultTable }), "code"),
    told: always("the fault, for people; the words may change", line, "told"),
    lift: always("what to type or to do next, for people", line, "hint"),
  }),
});

/** The beginning of every answer. */
type Answerable = {
  readonly name: ObjectName;
  readonly current: Version | undefined;
  readonly served: Served | undefined;
  readonly channel: string | undefined;
  readonly decision: Decision | undefined;
};

const keys = {
  namespace: always("of the object", line, ({ name }: Answerable) => name.namespace),
  object: always("its kind and name, as kubectl takes them", line, ({ name }: Answerable) => referenceOf(name)),
  container: always("the container that follows the channel", line, ({ name }: Answerable) => name.container),
  installed: always("the version in the object's template; null where it cannot be read", orNull(line), "current"),
  served: always(
    "the version that the channel served last; null where it served none, or never answered",
    orNull(line),
    ({ served }: Answerable) => (served?.kind === "version" ? served.version : undefined),
  ),
  channel: always("the channel that the object follows; null where it never answered", orNull(line), "channel"),
  available: always(
    "whether the served version is newer than the installed one",
    truth,
    ({ current, served }: Answerable) => current !== undefined && served !== undefined && compare(current, served).isAvailable,
  ),
} as const;

const rejection = recordOf<Kept["rejected"][number]>("one of them")({
  version: always("the served version", line, "served"),
  image: always("the image that failed", line, "artifact"),
  digest: sometimes("the image's digest, where a registry had told it", line, "digest"),
  at: always("when it was rejected", instant, "at"),
  why: always("why, for people", line, "why"),
});

const wait = recordOf<NonNullable<Kept["backoff"]>>()({
  version: always("the served version that was being moved to; another one ends the wait", line, "served"),
  until: always("its end", instant, "until"),
  failures: always("how many times in a row it failed", count, "failures"),
  why: always("the last failure, for people", line, ({ cause }) => cause.message),
});

const moving = recordOf<NonNullable<Kept["move"]>>()({
  from: always("the version that it leaves", line, "from"),
  to: always("the version that it moves to", line, "to"),
  since: always("when it began", instant, "startedAt"),
  step: always("its step, for programs", words(moveSteps), "step"),
});

const live = recordOf<SeenObject>()({
  replicas: always("how many there should be", count, "replicas"),
  ready: always("how many are ready", count, ({ status }) => status.ready),
  updated: always("how many run the newest template", count, ({ status }) => status.updated),
});

export type StatusTold = Answerable & { readonly kept: Kept | undefined; readonly object: SeenObject | undefined };

const statusOfOne = recordOf<StatusTold>("one of them")({
  ...keys,
  decision: sometimes("what the updater decided last, and why; left out where there is no record yet", decided, "decision"),
  since: sometimes("when it was decided first", instant, ({ kept }: StatusTold) => kept?.since),
  recorded: sometimes("when the record was written", instant, ({ kept }: StatusTold) => kept?.at),
  move: sometimes("the move in hand", moving, ({ kept }: StatusTold) => kept?.move),
  pods: sometimes("of the object; left out if no object has that name", live, "object"),
  rejected: always("the versions that failed here", list(rejection), ({ kept }: StatusTold) => kept?.rejected ?? []),
  backoff: sometimes("a wait after a failure that was not the version's own", wait, ({ kept }: StatusTold) => kept?.backoff),
});

export const statusAnswer = answer<readonly StatusTold[]>(
  "Why nothing happened, and when something can: what the records and the objects say.",
)({
  objects: always(
    "the objects of the updater, in the order of its settings",
    list(statusOfOne),
    (all: readonly StatusTold[]) => all,
  ),
});

const dryRunOfOne = recordOf<Answerable>("one of them")({
  ...keys,
  decision: sometimes("what it would decide, and why", decided, "decision"),
});

export const dryRunAnswer = answer<readonly Answerable[]>("What the updater would decide now.")({
  objects: always(
    "the objects of the updater, in the order of its settings",
    list(dryRunOfOne),
    (all: readonly Answerable[]) => all,
  ),
});

export type AskTold = Answerable & {
  readonly ask: Ask;
  readonly at: UnixSeconds;
  readonly cleared: readonly string[];
};

export const askAnswer = answer<AskTold>("What was asked for, and what the updater made of it.")({
  ...keys,
  annotation: always(
    "the annotation that was set",
    words<string>({
      [annotationOf.runNow]: "run now",
      [annotationOf.retry]: "retry",
      [annotationOf.rollback]: "roll back",
    }),
    ({ ask }: AskTold) => annotationOf[ask],
  ),
  at: always("the instant that it holds", instant, "at"),
  cleared: always(
    "what held the object back and was forgotten, one by one; empty: nothing did",
    list(told("in words, for people", line)),
    "cleared",
  ),
  decision: sometimes("what the updater decided then, and why", decided, "decision"),
});

import { emptyOf } from "../shape/empty.ts";
import { coded, count, listOf, maybe, number, record, words, type Of } from "../shape/shape.ts";
import { version, type Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { Served } from "./answer.ts";
import { hostId, type HostId } from "./asking-host.ts";
import { compareDecisions, decisionNumber, type DecisionNumber } from "./decision-number.ts";
import type { CriticalDoubt } from "./doubt.ts";
import { channelName, type ChannelName } from "./path.ts";
import { hourSeconds } from "../window/seconds.ts";

/** A healthy channel serves fewer versions within hours; a faulty server could serve any number. */
export const mostVersions = 8;

/**
 * How a version came to be served. "decided": its decision number was the highest so far. "back": answers disagree, because it was already served
 * within six hours, or its number was lower than an earlier one.
 */
const ways = words({ new: 0, decided: 0, back: 0 }, "new");
export type Came = Of<typeof ways>;

/** A time in which passes were served one version. */
const servedStretch = record({
  version,
  since: number,
  /** The time of the last answer with this version, or of the first answer with the next version. */
  until: number,
  came: ways,
  /** The version that was served before; the same one if only the numbers went back. */
  before: maybe(version),
});
export type ServedStretch = Of<typeof servedStretch>;

const two = coded(listOf(version, 2), {
  read: ([one, other]) => (one === undefined || other === undefined ? undefined : ([one, other] as const)),
  write: (both) => both,
  expected: "two versions",
});

/** What passes remember of one channel's answers. */
export const allHeard = record({
  /** Undefined before the first answer. */
  channel: maybe(channelName),
  /** The newest first. Each version is there once. */
  versions: listOf(servedStretch, mostVersions),
  /** The highest decision number, and when it was last heard. */
  decision: maybe(record({ number: decisionNumber, at: number })),
  /** When answers last went back: to the first of the two versions, from the second. */
  alternation: maybe(record({ at: number, between: two })),
  /** When two answers last disagreed, even within one pass. */
  disagreedAt: maybe(number),
  /** In how many passes in a row a server that never names its version called this version critical and did not contradict itself. */
  agreed: maybe(record({ version, passes: count })),
  /** The host's name in the channel's last answer. */
  askedAs: maybe(hostId),
});
export type Heard = Of<typeof allHeard>;

export const nothingHeard: Heard = emptyOf(allHeard);

/** A version that was served for longer was intended, and so was its end. Configurations have the same limit. */
export const alternationSeconds: number = 6 * hourSeconds;

/** The count stops here, because more passes do not make an agreement more certain. */
const mostAgreed = 2;

export type Answered = {
  readonly channel: ChannelName;
  readonly served: Served;
  readonly decision?: DecisionNumber | undefined;
  readonly doubt?: CriticalDoubt | undefined;
  readonly askedAs?: HostId | undefined;
  readonly isUnconfirmed?: boolean | undefined;
};

/** Remembers an answer. Ignores an unconfirmed one. A channel that serves nothing at present changes none of the remembered versions. */
export function hear(heard: Heard, answered: Answered, now: UnixSeconds): Heard {
  if (answered.isUnconfirmed === true) return heard;
  const known = hearAgreement(withoutFuture(heard, now), answered);
  const { served, decision, doubt } = answered;
  const isTorn = doubt !== undefined && doubt.kind !== "unnamed";
  const after = served.kind === "none" ? known : hearVersion(known, { version: served.version, decision }, now);
  return { ...after, decision: highest(known.decision, decision, now), disagreedAt: isTorn ? now : after.disagreedAt };
}

/** Counts the passes in a row that agree: all that an answer changes while the host's clock is wrong. */
export function hearAgreement(heard: Heard, { channel, served, doubt, askedAs, isUnconfirmed }: Answered): Heard {
  if (isUnconfirmed === true) return heard;
  // Forgets everything if the host now asks for another channel.
  const before = heard.channel === channel ? heard : { ...nothingHeard, channel };
  // Keeps the name, because instances of the server learn of a rollout one after the other.
  const known = { ...before, askedAs: askedAs ?? before.askedAs };
  if (served.kind === "none" || doubt?.kind !== "unnamed") return { ...known, agreed: undefined };
  const passes = known.agreed?.version === served.version ? known.agreed.passes : 0;
  return { ...known, agreed: { version: served.version, passes: Math.min(mostAgreed, passes + 1) } };
}

/** Makes the next answer count as the first. The decision number and the last disagreement stay. */
export function forgetAlternation(heard: Heard): Heard {
  return { ...heard, versions: [], alternation: undefined };
}

type Said = { readonly version: Version; readonly decision: DecisionNumber | undefined };

function hearVersion(heard: Heard, { version: said, decision }: Said, now: UnixSeconds): Heard {
  const [last, ...earlier] = heard.versions;
  const isBehind = lags(heard.decision, decision, now);
  const isSame = last?.version === said;
  // A number that stays lower counts as one step back, not as one in each pass.
  const goesOn = last !== undefined && isSame && (!isBehind || last.came === "back");
  if (goesOn) {
    const still = { ...heard, versions: [{ ...last, until: now }, ...earlier] };
    return isBehind ? wentBack(still, [said, last.before ?? said], now) : still;
  }
  const left = last === undefined || isSame ? earlier : [{ ...last, until: now }, ...earlier];
  const came = isBehind && last !== undefined ? "back" : cameBy(heard, { version: said, decision }, now);
  const stretch: ServedStretch = { version: said, since: now, until: now, came, before: last?.version };
  const others = left.filter((other) => other.version !== said);
  const after = { ...heard, versions: [stretch, ...others].slice(0, mostVersions) };
  return came === "back" && last !== undefined ? wentBack(after, [said, last.version], now) : after;
}

function wentBack(heard: Heard, between: readonly [Version, Version], now: UnixSeconds): Heard {
  return { ...heard, alternation: { at: now, between }, disagreedAt: now };
}

/** Tells how a version came to be served that differs from the last one. */
function cameBy({ versions, decision: known }: Heard, { version: said, decision }: Said, now: UnixSeconds): Came {
  const isDecided = decision !== undefined && (known === undefined || compareDecisions(decision, known.number) > 0);
  if (isDecided) return "decided";
  const earlier = versions.find((other) => other.version === said);
  return earlier !== undefined && now - earlier.until <= alternationSeconds ? "back" : "new";
}

/** Whether the number is lower than one heard within six hours. After six hours a lower number counts as a new beginning by another server. */
function lags(known: Heard["decision"], decision: DecisionNumber | undefined, now: UnixSeconds): boolean {
  if (known === undefined || decision === undefined || now - known.at > alternationSeconds) return false;
  return compareDecisions(decision, known.number) < 0;
}

function highest(known: Heard["decision"], decision: DecisionNumber | undefined, now: UnixSeconds): Heard["decision"] {
  return decision === undefined || lags(known, decision, now) ? known : { number: decision, at: now };
}

/** Drops entries with a time in the future: the clock was wrong when they were written. */
function withoutFuture(heard: Heard, now: UnixSeconds): Heard {
  const isPast = ({ at }: { readonly at: UnixSeconds }): boolean => at <= now;
  return {
    channel: heard.channel,
    versions: heard.versions.filter(({ until }) => until <= now),
    decision: heard.decision !== undefined && isPast(heard.decision) ? heard.decision : undefined,
    alternation: heard.alternation !== undefined && isPast(heard.alternation) ? heard.alternation : undefined,
    disagreedAt: heard.disagreedAt !== undefined && heard.disagreedAt <= now ? heard.disagreedAt : undefined,
    agreed: heard.agreed,
    askedAs: heard.askedAs,
  };
}

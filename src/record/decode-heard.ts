import type { Served } from "../channel/answer.ts";
import type { CriticalDoubt } from "../channel/doubt.ts";
import { mostVersions, type Came, type Heard, type ServedStretch } from "../channel/heard.ts";
import { channelNameRule, parseChannelName } from "../channel/path.ts";
import type { Version } from "../version/version.ts";
import {
  count,
  decisionNumber,
  finite,
  listOf,
  literal,
  malformed,
  object,
  oneOf,
  oneOfKind,
  orUndefined,
  parsed,
  version,
  type Reader,
  type UnknownKeys,
} from "./read.ts";

export function servedReader(unknownKeys: UnknownKeys): Reader<Served> {
  return oneOfKind<Served>({
    version: object<Extract<Served, { kind: "version" }>>({ kind: literal("version"), version }, unknownKeys),
    none: object<Extract<Served, { kind: "none" }>>({ kind: literal("none") }, unknownKeys),
  });
}

export function doubtReader(unknownKeys: UnknownKeys): Reader<CriticalDoubt> {
  return oneOfKind<CriticalDoubt>({
    unnamed: object<Extract<CriticalDoubt, { kind: "unnamed" }>>({ kind: literal("unnamed") }, unknownKeys),
    another: object<Extract<CriticalDoubt, { kind: "another" }>>(
      { kind: literal("another"), named: servedReader(unknownKeys) },
      unknownKeys,
    ),
    disagreeing: object<Extract<CriticalDoubt, { kind: "disagreeing" }>>({ kind: literal("disagreeing") }, unknownKeys),
  });
}

const two: Reader<readonly [Version, Version]> = (value, at) => {
  const [one, other] = listOf(version, 2)(value, at);
  return one === undefined || other === undefined ? malformed(at, "two versions") : [one, other];
};

export const heard: Reader<Heard> = object<Heard>({
  channel: orUndefined(parsed(parseChannelName, channelNameRule)),
  versions: listOf(
    object<ServedStretch>({
      version,
      since: finite,
      until: finite,
      came: oneOf<Came>({ new: 0, decided: 0, back: 0 }),
      before: orUndefined(version),
    }),
    mostVersions,
  ),
  decision: orUndefined(object<NonNullable<Heard["decision"]>>({ number: decisionNumber, at: finite })),
  alternation: orUndefined(object<NonNullable<Heard["alternation"]>>({ at: finite, between: two })),
  disagreedAt: orUndefined(finite),
  agreed: orUndefined(object<NonNullable<Heard["agreed"]>>({ version, passes: count })),
});

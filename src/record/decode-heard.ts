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
  standIn,
  type Rules,
} from "./read.ts";

type KeyRules = Pick<Rules<object>, "unknown">;

export function servedReader(rules: KeyRules): Reader<Served> {
  return oneOfKind<Served>({
    version: object<Extract<Served, { kind: "version" }>>({ kind: literal("version"), version }, rules),
    none: object<Extract<Served, { kind: "none" }>>({ kind: literal("none") }, rules),
  });
}

/** Whatever doubt a later release has, it is one. */
export function doubtReader(rules: KeyRules): Reader<CriticalDoubt> {
  const known = {
    unnamed: object<Extract<CriticalDoubt, { kind: "unnamed" }>>({ kind: literal("unnamed") }, rules),
    another: object<Extract<CriticalDoubt, { kind: "another" }>>({ kind: literal("another"), named: servedReader(rules) }, rules),
    disagreeing: object<Extract<CriticalDoubt, { kind: "disagreeing" }>>({ kind: literal("disagreeing") }, rules),
  };
  return oneOfKind<CriticalDoubt>(known, [standIn<CriticalDoubt>({ kind: "disagreeing" })]);
}

const two: Reader<readonly [Version, Version]> = (value, at) => {
  const [one, other] = listOf(version, 2)(value, at);
  return one === undefined || other === undefined ? malformed(at, "two versions") : [one, other];
};

export const heard: Reader<Heard> = object<Heard>({
  channel: orUndefined(parsed(parseChannelName, channelNameRule)),
  versions: listOf(
    object<ServedStretch>(
      {
        version,
        since: finite,
        until: finite,
        came: oneOf<Came>({ new: 0, decided: 0, back: 0 }),
        before: orUndefined(version),
      },
      { instead: { came: "new" } },
    ),
    mostVersions,
  ),
  decision: orUndefined(object<NonNullable<Heard["decision"]>>({ number: decisionNumber, at: finite })),
  alternation: orUndefined(object<NonNullable<Heard["alternation"]>>({ at: finite, between: two })),
  disagreedAt: orUndefined(finite),
  agreed: orUndefined(object<NonNullable<Heard["agreed"]>>({ version, passes: count })),
});

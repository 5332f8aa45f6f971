import { served, type Served } from "../channel/answer.ts";
import {
  byDefault,
  count,
  listOf,
  maybe,
  number,
  record,
  sentence,
  word,
  words,
  type Of,
  optional,
  truth,
} from "../shape/shape.ts";
import { version } from "../version/version.ts";

/** Who steered a rollout, when and why. */
export const person = record({ who: word, at: number, why: sentence });
export type Person = Of<typeof person>;

const stageStates = {
  waiting: "its turn has not come, or it is empty",
  moving: "its hosts are told the target",
  soaking: "its hosts have proven the target and are watched",
  done: "the next stage may begin",
};

const stageReasons = {
  turn: "an earlier stage is not done",
  empty: "it selects no host, and waits to be skipped",
  moving: "its hosts move",
  blocked: "none of its hosts can move, and it waits to be skipped",
  soaking: "enough of its hosts have proven the target",
  soaked: "its hosts stayed well",
  skipped: "a person skipped it",
};

/** How many bad hosts a person accepted by resuming the rollout. */
const excused = record({ failed: count, silent: count });

export const stageStatus = record({
  name: word,
  state: words(stageStates),
  why: words(stageReasons),
  since: number,
  /** When it began to move. */
  began: maybe(number),
  /** The number of hosts that its limits are measured by, fixed when it begins to move. */
  hosts: count,
  /** The stage has the hosts whose rank is below this; 0 if it selects by labels. Never sinks while the target stays. */
  below: count,
  /** These hosts do not count towards a halt. */
  excused,
  skipped: maybe(person),
});
export type StageStatus = Of<typeof stageStatus>;

/** From this time on, hosts whose rank is below this are told the target. */
const mark = record({ at: number, below: count });
export type Mark = Of<typeof mark>;

/** Hosts of a stage that selects by labels, and when they were told the target. */
const toldById = record({ at: number, stage: word, hosts: listOf(record({ id: word, rank: count }), 100_000) });
export type ToldById = Of<typeof toldById>;

const halt = record({ stage: word, kind: words({ failed: 0, silent: 0 }), hosts: count, limit: count, at: number });
export type Halt = Of<typeof halt>;

export const mostMarks = 32;
export const mostStages = 32;

/** A host that an administrator removed from the inventory. */
const leaver = record({ stage: word, instance: word, hostname: word, at: number });
export type Leaver = Of<typeof leaver>;

/** A command shows no more. */
export const mostLeft = 20;

/** The status of a rollout, which the store has as one item. */
export const status = record({
  target: version,
  /** Hosts move outside of their windows. */
  isCritical: optional(truth),
  /** What the channel served when the rollout began. */
  from: served,
  /** Rises with each change after which a proxy gives other answers. */
  number: count,
  began: number,
  /** When the rollout last went on after a pause, a halt or an undo. */
  resumed: maybe(number),
  stages: listOf(stageStatus, mostStages),
  /** The oldest first, which is also the lowest rank first. */
  marks: listOf(mark, mostMarks),
  byId: listOf(toldById, mostMarks * mostStages),
  paused: maybe(person),
  halted: maybe(halt),
  undone: maybe(person),
  /** The newest last. */
  left: byDefault(listOf(leaver, mostLeft, "last"), []),
});
export type Status = Of<typeof status>;

export type Standing =
  | { readonly kind: "moving" | "done" }
  | { readonly kind: "paused" | "undone"; readonly by: Person }
  | { readonly kind: "halted"; readonly halt: Halt };

/** If a rollout is halted and paused, shows the halt, because it needs a person. */
export function standingOf({ undone, halted, paused, stages }: Status): Standing {
  if (undone !== undefined) return { kind: "undone", by: undone };
  if (stages.every(({ state }) => state === "done")) return { kind: "done" };
  if (halted !== undefined) return { kind: "halted", halt: halted };
  return paused === undefined ? { kind: "moving" } : { kind: "paused", by: paused };
}

export function thresholdOf({ marks }: Status): number {
  return marks.at(-1)?.below ?? 0;
}

/** What hosts are told at first under the channel's next rollout: this one's target only if this one is done. */
export function servedAfter(before: Status): Served {
  return standingOf(before).kind === "done" ? { kind: "version", version: before.target } : before.from;
}

/** Raises the number if the word for proxies has changed. */
export function renumbered(before: Status, after: Status): Status {
  const isSame =
    standingOf(before).kind === standingOf(after).kind &&
    thresholdOf(before) === thresholdOf(after) &&
    toldCount(before) === toldCount(after);
  return { ...after, number: before.number + (isSame ? 0 : 1) };
}

function toldCount({ byId }: Status): number {
  return byId.reduce((sum, { hosts }) => sum + hosts.length, 0);
}

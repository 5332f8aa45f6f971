import { pastFault } from "../../rules/fault/data.ts";
import { moveReasons } from "../plan/host-reasons.ts";
import { asWritten } from "../../rules/shape/unknown-keys.ts";
import { emptyOf } from "../../rules/shape/empty.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import {
  count,
  kinds,
  listOf,
  maybe,
  number,
  optional,
  orElse,
  record,
  sentence,
  word,
  words,
  type Of,
} from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { endings, movements, outcome, pastStep, type PassRecord, type StepInHand } from "./state.ts";
import { doingIn } from "./steps.ts";

/** About a year of weekly upgrades. */
export const mostMoves = 50;
/** Other entries have their own limit, so they never displace a move. */
export const mostOthers = 20;
/** A later release may keep more entries, but none writes a longer list. */
const mostRead = 500;
/** A limit that no history of ours reaches. */
export const longestHistoryBytes: number = 256 * 1024;

/** Equal entries in a row become one: the last, with the time of the first. */
const repeated = { count: orElse(count, 1, (times) => times === 1), firstAt: maybe(number) };

/** What a later pass did about an unfinished move. */
const recovery = record({
  /** The pass that ended it, and when. */
  pass: word,
  at: number,
  /** The unfinished step. */
  step: pastStep,
  ended: words(endings, "finished"),
  /** Why it could not be repaired. */
  fault: optional(pastFault),
});
export type Recovery = Of<typeof recovery>;

export const entry = kinds(
  {
    /** A pass decided to move, however it ended. */
    move: {
      /** The pass that decided it. */
      id: word,
      /** When the pass began. */
      at: number,
      /** The duration of that pass; undefined if it did not finish. */
      seconds: maybe(number),
      channel: maybe(word),
      movement: words(movements, "upgrade"),
      why: words(moveReasons, "asked"),
      /** The package that was installed; undefined without one, or if its version could not be read. */
      from: maybe(word),
      /** The version of the move's target, and its package if the pass came that far. */
      version,
      to: maybe(word),
      /** `stopped` by the fault `interrupted`: the pass did not finish. */
      outcome,
      recovered: maybe(recovery),
      ...repeated,
    },
    /** A notification that could not be sent. */
    "notice-lost": { at: number, event: word, why: sentence, ...repeated },
    /** A kind that only a later release knows. */
    other: { at: number },
  },
  ["other", { kind: "other", at: 0 }],
);
export type Entry = Of<typeof entry>;
export type MoveEntry = Extract<Entry, { kind: "move" }>;

/** The moves and attempts of this host, newest first. Everyone may read it, so it holds no secrets. */
export const history = record({ entries: listOf(entry, mostRead) }, { schema: 1 });
export type History = Of<typeof history>;

export const emptyHistory: History = emptyOf(history);

/** Known keys are read strictly; those of a later release are carried along. */
export function decodeHistory(found: string): Reading<History> {
  return decode(found, history, "carried");
}

/** Drops the oldest entries until the text is short enough to be read again. */
export function encodeHistory({ entries, ...others }: History): string {
  for (let left = entries.length; ;) {
    const text = `${JSON.stringify(encode(history, { ...others, entries: entries.slice(0, left) }), undefined, 2)}\n`;
    const { length } = new TextEncoder().encode(text);
    if (left === 0 || length <= longestHistoryBytes) return text;
    left = Math.min(left - 1, Math.floor((left * longestHistoryBytes) / length));
  }
}

/** Adds an entry, or counts it with an equal one if nothing moved since. */
export function addEntry(before: History, added: Entry): History {
  const at = before.entries.findIndex((one) => isSame(one, added) || isChange(one));
  const like = before.entries[at];
  const both = like && folded(like, added);
  if (both === undefined) return { ...before, entries: bounded([added, ...before.entries]) };
  const others = before.entries.filter((one) => one !== like);
  return { ...before, entries: [both, ...others] };
}

/** Adds an event that could not be sent. */
export function addLost(
  before: History,
  lost: { readonly at: UnixSeconds; readonly event: string; readonly why: string },
): History {
  return addEntry(before, { kind: "notice-lost", ...lost, ...once });
}

/**
 * Adds a pass's move under the pass's id. The history is written before the state: if a pass is cut off between the two, the next pass finds the move
 * here and does not add it again.
 */
export function addMove(before: History, move: MoveEntry): History {
  return before.entries.some((one) => idOf(one) === move.id) ? before : addEntry(before, move);
}

/** Adds what came of an unfinished move. The pass that began it may already have recorded why it stopped. */
export function addRecovery(before: History, begun: StepInHand, recovered: Recovery): History {
  const known = before.entries.find((one) => one.kind === "move" && one.id === begun.pass);
  const entries = before.entries.filter((one) => one !== known);
  return addEntry({ ...before, entries }, { ...(known?.kind === "move" ? known : interrupted(begun)), recovered });
}

/** Adds moves of remembered passes that are missing here: on a full disk the history is not written. */
export function withPasses(before: History, passes: readonly PassRecord[]): History {
  const known = new Set(before.entries.flatMap((one) => (one.kind === "move" ? [one.id, one.recovered?.pass] : [])));
  const last = passes.findIndex(({ id }) => known.has(id));
  const unknown = last === -1 ? passes : passes.slice(0, last);
  return unknown
    .toReversed()
    .flatMap((pass) => movesOf(pass))
    .reduce(addMove, before);
}

/** The packages of a pass, if its record does not name them. */
type Packages = Pick<MoveEntry, "from" | "to">;

/** The entries of a pass that moved, or that ended an earlier pass's move. */
export function movesOf(pass: PassRecord, packages?: Packages): readonly MoveEntry[] {
  const { id, startedAt: at, seconds, channel, decision, recovered, outcome: ended } = pass;
  const about = { kind: "move", id, at, seconds, channel, ...once } as const;
  if (decision.kind === "move") {
    const { why, target } = decision;
    const { from, to } = packages ?? packagesIn(pass);
    return [{ ...about, movement: target.kind, why, from, version: target.to, to, outcome: ended, recovered: undefined }];
  }
  if (recovered === undefined) return [];
  // The state does not say which pass began the move, nor why.
  const { step, served, ended: how } = recovered;
  const found = {
    from: undefined,
    version: served,
    to: undefined,
    outcome: { kind: "stopped", fault: notFinished(recovered) },
  } as const;
  return [
    { ...about, seconds: undefined, movement: "upgrade", why: "window", ...found, recovered: { pass: id, at, step, ended: how } },
  ];
}

function packagesIn({ outcome: ended, installed }: PassRecord): Packages {
  switch (ended.kind) {
    case "moved":
      return { from: ended.from, to: ended.to };
    case "undone":
      return { from: ended.to, to: ended.left };
    case "failed":
    case "stayed":
    case "stopped":
      return { from: installed, to: undefined };
  }
}

/** The move that a pass had begun when a fault ended it. */
export function brokenOff(begun: StepInHand, ended: PassRecord["outcome"]): MoveEntry {
  return { ...interrupted(begun), outcome: ended };
}

function interrupted(begun: StepInHand): MoveEntry {
  const { pass: id, movement, why, from, served, to, channel } = begun;
  const fault = notFinished(begun);
  const about = { kind: "move", id, at: beganAt(begun), seconds: undefined, channel, ...once } as const;
  return { ...about, movement, why, from, version: served, to, outcome: { kind: "stopped", fault }, recovered: undefined };
}

/** A pass that continues another's move writes its own start into the step, but keeps when the package was first changed. */
function beganAt({ recoveries, changingSince, startedAt, done }: StepInHand): UnixSeconds {
  if (recoveries > 0 && changingSince !== undefined) return changingSince;
  return startedAt - Math.round(done.reduce((sum, { ms }) => sum + ms, 0) / 1000);
}

function notFinished({ step, served }: Pick<StepInHand, "step" | "served">) {
  return {
    code: "interrupted",
    message: `the pass did not finish: it was ${doingIn[step](served)}`,
    hint: "see with `journalctl --list-boots` whether the host went down",
    causes: [],
  } as const;
}

const once = { count: 1, firstAt: undefined };

function isSame(one: Entry, other: Entry): boolean {
  return folded(one, other) !== undefined;
}

/** Makes one entry of two that are equal for programs. Times, durations and messages always differ. */
function folded(like: Entry, added: Entry): Entry | undefined {
  if (like.kind === "other" || added.kind === "other" || essence(like) !== essence(added)) return undefined;
  return { ...added, count: like.count + added.count, firstAt: like.firstAt ?? like.at };
}

function essence(of: Exclude<Entry, { kind: "other" }>): string {
  if (of.kind === "notice-lost") return JSON.stringify([of.kind, of.event, of.why]);
  const { channel, movement, from, version: aim, to, outcome: ended, recovered } = of;
  const how = [asWritten(ended, "kind"), ...("fault" in ended ? [asWritten(ended.fault, "code")] : [])];
  const where = "step" in ended ? [asWritten(ended, "step")] : [];
  const back = ended.kind === "failed" && ended.back !== undefined ? [ended.back.kind] : [];
  const after = recovered === undefined ? [] : [asWritten(recovered, "step"), asWritten(recovered, "ended")];
  return JSON.stringify([channel, movement, asWritten(of, "why"), from, aim, to, how, where, back, after]);
}

/** Whether the host changed; entries before and after a change are never joined. */
function isChange(one: Entry): boolean {
  if (one.kind !== "move") return false;
  const { outcome: ended, recovered } = one;
  const isChanged = ended.kind === "moved" || ended.kind === "undone" || (ended.kind === "failed" && ended.back !== undefined);
  return isChanged || (recovered !== undefined && recovered.ended !== "unchanged");
}

function idOf(one: Entry): string | undefined {
  return one.kind === "move" ? one.id : undefined;
}

function bounded(entries: readonly Entry[]): readonly Entry[] {
  let moves = 0;
  let others = 0;
  return entries.filter((one) => (one.kind === "move" ? (moves += 1) <= mostMoves : (others += 1) <= mostOthers));
}

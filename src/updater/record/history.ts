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

/** More than a year of weekly upgrades is nobody's question. */
export const mostMoves = 50;
/** What is told beside them never takes a move's place. */
export const mostOthers = 20;
/** A later release may keep more; a longer list was not written by any. */
const mostRead = 500;
/** What is larger was not written by us. */
export const longestHistoryBytes: number = 256 * 1024;

/** Several in a row that were equal are one entry, that of the last, which knows when the first of them was. */
const repeated = { count: orElse(count, 1, (times) => times === 1), firstAt: maybe(number) };

/** What a later pass did about a move that did not finish. */
const recovery = record({
  /** Which pass, and when it ended it. */
  pass: word,
  at: number,
  /** The step that did not finish. */
  step: pastStep,
  ended: words(endings, "finished"),
  /** Why it could not be repaired. */
  fault: optional(pastFault),
});
export type Recovery = Of<typeof recovery>;

export const entry = kinds(
  {
    /** A pass decided to move; whatever its end. */
    move: {
      /** The pass that decided it. */
      id: word,
      /** When it began. */
      at: number,
      /** How long that pass took; undefined where it did not finish. */
      seconds: maybe(number),
      channel: maybe(word),
      movement: words(movements, "upgrade"),
      why: words(moveReasons, "asked"),
      /** The package that was installed; undefined: there was none, or its version could not be read. */
      from: maybe(word),
      /** The version that was moved to, and the package that holds it, where the pass came so far. */
      version,
      to: maybe(word),
      /** `stopped` by the fault `interrupted`: the pass did not finish. */
      outcome,
      recovered: maybe(recovery),
      ...repeated,
    },
    /** Somebody was to be told of something, and could not be. */
    "notice-lost": { at: number, event: word, why: sentence, ...repeated },
    /** Of a kind that only a later release has. */
    other: { at: number },
  },
  ["other", { kind: "other", at: 0 }],
);
export type Entry = Of<typeof entry>;
export type MoveEntry = Extract<Entry, { kind: "move" }>;

/** What was moved or tried on this host, newest first. Readable by everyone, so without secrets. */
export const history = record({ entries: listOf(entry, mostRead) }, { schema: 1 });
export type History = Of<typeof history>;

export const emptyHistory: History = emptyOf(history);

/** What is known here is read strictly; what a later release added is carried along. */
export function decodeHistory(found: string): Reading<History> {
  return decode(found, history, "carried");
}

/** Never larger than may be read again: the oldest go first. */
export function encodeHistory({ entries, ...others }: History): string {
  for (let left = entries.length; ;) {
    const text = `${JSON.stringify(encode(history, { ...others, entries: entries.slice(0, left) }), undefined, 2)}\n`;
    const { length } = new TextEncoder().encode(text);
    if (left === 0 || length <= longestHistoryBytes) return text;
    left = Math.min(left - 1, Math.floor((left * longestHistoryBytes) / length));
  }
}

/** The history with one entry more; or with one more of an entry that is there, if nothing was moved since. */
export function addEntry(before: History, added: Entry): History {
  const at = before.entries.findIndex((one) => isSame(one, added) || isChange(one));
  const like = before.entries[at];
  const both = like && folded(like, added);
  if (both === undefined) return { ...before, entries: bounded([added, ...before.entries]) };
  const others = before.entries.filter((one) => one !== like);
  return { ...before, entries: [both, ...others] };
}

/** Somebody was to be told of an event, and was not. */
export function addLost(
  before: History,
  lost: { readonly at: UnixSeconds; readonly event: string; readonly why: string },
): History {
  return addEntry(before, { kind: "notice-lost", ...lost, ...once });
}

/**
 * The move of a pass, known by the pass's id: it is written before the state, so whoever goes on after a cut between the two finds it
 * here already, and leaves it as it stands.
 */
export function addMove(before: History, move: MoveEntry): History {
  return before.entries.some((one) => idOf(one) === move.id) ? before : addEntry(before, move);
}

/** What became of a move that did not finish. The pass that began it may have said itself what kept it from its end. */
export function addRecovery(before: History, begun: StepInHand, recovered: Recovery): History {
  const known = before.entries.find((one) => one.kind === "move" && one.id === begun.pass);
  const entries = before.entries.filter((one) => one !== known);
  return addEntry({ ...before, entries }, { ...(known?.kind === "move" ? known : interrupted(begun)), recovered });
}

/** With the moves of the passes that the state remembers and nobody wrote down here: a full disk takes no history. */
export function withPasses(before: History, passes: readonly PassRecord[]): History {
  const known = new Set(before.entries.flatMap((one) => (one.kind === "move" ? [one.id, one.recovered?.pass] : [])));
  const last = passes.findIndex(({ id }) => known.has(id));
  const unknown = last === -1 ? passes : passes.slice(0, last);
  return unknown
    .toReversed()
    .flatMap((pass) => movesOf(pass))
    .reduce(addMove, before);
}

/** Which packages a pass had to do with, where its record does not say. */
type Packages = Pick<MoveEntry, "from" | "to">;

/** What a pass that decided to move, or ended what an earlier one had begun, leaves here. */
export function movesOf(pass: PassRecord, packages?: Packages): readonly MoveEntry[] {
  const { id, startedAt: at, seconds, channel, decision, recovered, outcome: ended } = pass;
  const about = { kind: "move", id, at, seconds, channel, ...once } as const;
  if (decision.kind === "move") {
    const { why, target } = decision;
    const { from, to } = packages ?? packagesIn(pass);
    return [{ ...about, movement: target.kind, why, from, version: target.to, to, outcome: ended, recovered: undefined }];
  }
  if (recovered === undefined) return [];
  // The state does not say who began it, nor why.
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

/** The move that a pass had in hand when a fault broke it off. */
export function brokenOff(begun: StepInHand, ended: PassRecord["outcome"]): MoveEntry {
  return { ...interrupted(begun), outcome: ended };
}

function interrupted(begun: StepInHand): MoveEntry {
  const { pass: id, movement, why, from, served, to, channel } = begun;
  const fault = notFinished(begun);
  const about = { kind: "move", id, at: beganAt(begun), seconds: undefined, channel, ...once } as const;
  return { ...about, movement, why, from, version: served, to, outcome: { kind: "stopped", fault }, recovered: undefined };
}

/** A pass that goes on with another's move writes its own time beside the step; when the package was first changed stays. */
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

/** One entry for both, where they are equal by what programs read of them: times, durations and messages differ each time. */
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

/** What is before it is another chapter. */
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

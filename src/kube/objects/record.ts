import { allHeard, nothingHeard, type Heard } from "../../rules/channel/heard.ts";
import { decode } from "../../rules/shape/read.ts";
import { count, maybe, number, record, word, words, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { decision, type Decision } from "./object-decision.ts";
import type { ObjectMemory } from "./object-facts.ts";
import type { StoredRecord } from "./stored.ts";
import { nothingStands, standingKeys, standingOfAnother, type Standing } from "./move-memory.ts";

const windowSources = { setting: 0, schedule: 0 };

export const kept = record(
  {
    /** Rises with each write, so that an older record which somebody put back is noticed. */
    turn: count,
    /** When it was written. */
    at: number,
    /** The object's uid. An object that was deleted and made again begins without memory. */
    uid: maybe(word),
    decision,
    /** When this decision was first made. */
    since: number,
    /** The object's version. */
    current: maybe(version),
    heard: allHeard,
    unhealthySince: maybe(number),
    /** Where the window comes from: the settings, or the Secret. */
    windowOf: maybe(words(windowSources, "schedule")),
    ...standingKeys,
  },
  { schema: 1 },
);

/** An object's record. Its ConfigMap keeps it between looks. */
export type Kept = Of<typeof kept>;

export type KeptReading =
  | { readonly kind: "kept"; readonly record: Kept }
  | { readonly kind: "nothing" }
  | { readonly kind: "unreadable"; readonly why: string };

/** `turn` is the number of writes that is also noted beside the record. */
export function readKept(text: string | undefined, turn = 0): KeptReading {
  if (text === undefined && turn > 0) return { kind: "unreadable", why: `it was written ${turn} times, and is wiped` };
  if (text === undefined) return { kind: "nothing" };
  const reading = decode(text, kept, "carried");
  if (reading.kind === "read") return { kind: "kept", record: reading.value };
  const isLater = reading.why.startsWith("schema ");
  return isLater ? { kind: "unreadable", why: "another release wrote it in another form" } : reading;
}

/** Reads an object's record from its ConfigMap. */
export function readStored(stored: StoredRecord | undefined): KeptReading {
  return readKept(stored?.record, stored?.turn);
}

export function keptIn(reading: KeptReading): Kept | undefined {
  return reading.kind === "kept" ? reading.record : undefined;
}

export function printKept(one: Kept): string {
  return JSON.stringify(encode(kept, one));
}

export type Look = {
  readonly now: UnixSeconds;
  readonly uid: string | undefined;
  readonly decision: Decision;
  readonly current: Kept["current"];
  readonly heard: Heard;
  readonly unhealthySince: UnixSeconds | undefined;
  readonly windowOf: Kept["windowOf"];
  readonly standing: Standing;
};

export function nextKept(before: Kept | undefined, { now, standing, ...look }: Look): Kept {
  const isSame = before !== undefined && wordsOf(before.decision) === wordsOf(look.decision);
  const next = { turn: (before?.turn ?? 0) + 1, at: now, since: isSame ? before.since : now, ...look, ...standing };
  // The copy keeps keys that a later release wrote.
  return before === undefined ? next : { ...before, ...next };
}

export function wordsOf(one: Decision): string {
  return JSON.stringify(encode(decision, one));
}

/** Whether anything but the time has changed. A new time alone is not written. */
export function isNews(before: Kept | undefined, next: Kept): boolean {
  return before === undefined || timeless(before) !== timeless(next);
}

function timeless(one: Kept): string {
  const { heard } = one;
  const versions = heard.versions.map((stretch) => ({ ...stretch, until: 0 }));
  const decided = heard.decision && { ...heard.decision, at: 0 };
  return printKept({ ...one, turn: 0, at: 0, heard: { ...heard, versions, decision: decided } });
}

/** The part of a record that holds for this object. */
export function memoryIn(reading: KeptReading, uid: string | undefined): ObjectMemory {
  if (reading.kind !== "kept") {
    const unreadable = reading.kind === "nothing" ? undefined : `the record of earlier looks cannot be read: ${reading.why}`;
    return { heard: nothingHeard, unhealthySince: undefined, unreadable, standing: nothingStands };
  }
  const { heard, unhealthySince, uid: recorded } = reading.record;
  const { move, last, rejected, backoff, needsOperator, resets, rescuedFor, heeded, heldUp } = reading.record;
  const standing = { move, last, rejected, backoff, needsOperator, resets, rescuedFor, heeded, heldUp };
  // An object that cannot be seen may still be the same one.
  if (uid === undefined || recorded === uid) return { heard, unhealthySince, unreadable: undefined, standing };
  return { heard, unhealthySince: undefined, unreadable: undefined, standing: standingOfAnother(standing) };
}

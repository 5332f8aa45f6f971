import { decode, type Reading } from "../../rules/shape/read.ts";
import { maybe, number, record, text, words, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** A later release may ask for more. An unknown word here makes the note unreadable. */
const asked = record({ when: words({ timer: 0, now: 0, back: 0 }), absent: words({ stop: 0, install: 0 }) });

/** What `svc-upgrade run` asks of the pass that it starts. */
export const note = record(
  {
    at: number,
    asked,
    /** The pass that has taken the note. */
    pass: maybe(text(64)),
  },
  { schema: 1 },
);
export type AskedNote = Of<typeof note>;

/** How long a note counts. An older one is left from a failed start, and no later pass may take it. */
const freshSeconds = {
  "for a pass that begins": 60,
  /** The pass asked the channel in between. */
  "for a move that begins": 900,
};
export type Freshness = keyof typeof freshSeconds;

export function encodeAsked(written: AskedNote): string {
  return `${JSON.stringify(encode(note, written))}\n`;
}

export function decodeAsked(found: string): Reading<AskedNote> {
  return decode(found, note, "ignored");
}

export function isFresh({ at }: Pick<AskedNote, "at">, now: UnixSeconds, freshness: Freshness): boolean {
  return Math.abs(now - at) <= freshSeconds[freshness];
}

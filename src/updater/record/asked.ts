import { decode, type Reading } from "../../rules/shape/read.ts";
import { maybe, number, record, text, words, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** A later release may ask for more; in its words for these two nothing is guessed. */
const asked = record({ when: words({ timer: 0, now: 0, back: 0 }), absent: words({ stop: 0, install: 0 }) });

/** What `run` by hand wants of the pass that it starts. */
export const note = record(
  {
    at: number,
    asked,
    /** The one that acts by it already. */
    pass: maybe(text(64)),
  },
  { schema: 1 },
);
export type AskedNote = Of<typeof note>;

/** A note that no pass took up within a minute is left from a start that failed: it must not speak for a later one. */
const freshSeconds = {
  "for a pass that begins": 60,
  /** The channel was asked in between. */
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

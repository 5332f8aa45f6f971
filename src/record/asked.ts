import type { Asked } from "../plan/policy.ts";
import type { UnixSeconds } from "../window/window.ts";
import { finite, literal, object, oneOf, readJson, type Reading } from "./read.ts";

/** What `run` by hand wants of the pass that it starts. */
export type AskedNote = { readonly at: UnixSeconds; readonly asked: Asked };

/** A note that nobody took up by then is left from a start that failed: it must not speak for a later pass. */
const freshSeconds = 60;

export function encodeAsked({ at, asked }: AskedNote): string {
  return `${JSON.stringify({ schema: 1, at, asked: { when: asked.when, absent: asked.absent } })}\n`;
}

export function decodeAsked(text: string): Reading<AskedNote> {
  return readJson(text, note);
}

export function isFresh(note: AskedNote, now: UnixSeconds): boolean {
  return Math.abs(now - note.at) <= freshSeconds;
}

/** A later release may ask for more; in its words for these two nothing is guessed. */
const others = { unknown: "ignored" } as const;

const note = object<AskedNote & { schema: 1 }>(
  {
    schema: literal(1),
    at: finite,
    asked: object<Asked>({ when: oneOf({ timer: 0, now: 0, back: 0 }), absent: oneOf({ stop: 0, install: 0 }) }, others),
  },
  others,
);

import type { Asked } from "../plan/policy.ts";
import type { UnixSeconds } from "../window/window.ts";
import { finite, literal, object, oneOf, orUndefined, readJson, text, type Reading } from "./read.ts";

/** What `run` by hand wants of the pass that it starts. */
export type AskedNote = {
  readonly at: UnixSeconds;
  readonly asked: Asked;
  /** The one that acts by it already. */
  readonly pass: string | undefined;
};

/** A note that no pass took up within a minute is left from a start that failed: it must not speak for a later one. */
const freshSeconds = {
  "for a pass that begins": 60,
  /** The channel was asked in between. */
  "for a move that begins": 900,
};
export type Freshness = keyof typeof freshSeconds;

export function encodeAsked({ at, asked, pass }: AskedNote): string {
  return `${JSON.stringify({ schema: 1, at, asked: { when: asked.when, absent: asked.absent }, pass })}\n`;
}

export function decodeAsked(found: string): Reading<AskedNote> {
  return readJson(found, note);
}

export function isFresh(note: Pick<AskedNote, "at">, now: UnixSeconds, freshness: Freshness): boolean {
  return Math.abs(now - note.at) <= freshSeconds[freshness];
}

/** A later release may ask for more; in its words for these two nothing is guessed. */
const longestPass = 64;
const others = { unknown: "ignored" } as const;

const note = object<AskedNote & { schema: 1 }>(
  {
    schema: literal(1),
    at: finite,
    pass: orUndefined(text(longestPass)),
    asked: object<Asked>({ when: oneOf({ timer: 0, now: 0, back: 0 }), absent: oneOf({ stop: 0, install: 0 }) }, others),
  },
  others,
);

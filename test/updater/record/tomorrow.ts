type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Keys = { readonly [key: string]: Json };

/** The keys that hold a word of a vocabulary, wherever in the history they stand. */
const wordKeys = new Set(["kind", "why", "code", "step", "ended"]);

/** Where a pass goes on from: only unknown keys are let pass there. */
const inHand = "step";

/**
 * What a later release wrote, once a release that does not know its words has read and written it: every record holds keys that nobody
 * knows here, and beside every word of the history stands another one.
 */
export function tomorrow(written: string): string {
  return JSON.stringify(withKeys(JSON.parse(written) as Keys), undefined, 2);
}

function withKeys(state: Keys): Keys {
  const { [inHand]: step, ...rest } = state;
  const past = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, renewed(value, key)]));
  const held = step === undefined ? {} : { [inHand]: { ...(step as Keys), novelty: { of: "the step" } } };
  return { ...past, ...held, novelty: { of: ["the", "state", 1, null] } };
}

function renewed(value: Json, at: string): Json {
  if (Array.isArray(value)) return value.map((row: Json) => renewed(row, at));
  if (typeof value !== "object" || value === null) return value;
  const record = value as Keys;
  // A rejection's reason is no word: it is a sentence.
  const words = Object.entries(record).filter(([key, found]) => wordKeys.has(key) && isWordOf(record, key, found));
  return {
    ...Object.fromEntries(Object.entries(record).map(([key, below]) => [key, renewed(below, key)])),
    ...(words.length === 0 ? {} : { later: Object.fromEntries(words.map(([key, word]) => [key, `new-${word as string}`])) }),
    novelty: { of: at },
  };
}

/** `why` is a word in a decision alone, and a sentence elsewhere. */
function isWordOf({ kind }: Keys, key: string, found: Json): boolean {
  return typeof found === "string" && (key !== "why" || kind === "stay" || kind === "move");
}

/** Of the history what stands in its own place, and no word beside it. */
export function inOwnPlaces(written: string): string {
  const { [inHand]: step, ...rest } = JSON.parse(written) as Keys;
  const past = JSON.parse(JSON.stringify(rest), (_key, value: Json) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "later"));
  }) as Keys;
  return JSON.stringify({ ...past, ...(step === undefined ? {} : { [inHand]: step }) });
}

/** As the later release itself wrote it: its words stand in their own places. */
export function plainly(found: string): string {
  const replaced = JSON.parse(found, (_key, value: Json) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const { later, ...rest } = value as Keys;
    return later === undefined ? value : { ...rest, ...(later as Keys) };
  }) as Keys;
  return JSON.stringify(replaced, undefined, 2);
}

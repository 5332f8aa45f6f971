import { beyondOf, laterKey, laterOf } from "../shape/beyond.ts";

type Written = Readonly<Record<string, unknown>>;

/** What the first release does not read as it stands here: by key the nearest of its words, or how many rows it takes. */
export type NotOfTheFirst = {
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly most?: Readonly<Record<string, number>>;
};

/**
 * A record's keys as every release can read them: in their places what the first one knows, under "later" what is meant instead,
 * and behind them what this release only carries.
 */
export function writing(record: object, keys: Written, notOfTheFirst: NotOfTheFirst = {}): Written {
  const first = asTheFirst(keys, notOfTheFirst);
  const meant = Object.entries(keys).filter(([key, value]) => value !== first[key]);
  const beyond = beyondOf(record);
  const later = [...meant, ...Object.entries(laterOf(beyond))];
  const carried = Object.entries(beyond).filter(([key]) => key !== laterKey);
  if (later.length === 0 && carried.length === 0) return first;
  return {
    ...first,
    ...(later.length === 0 ? {} : { [laterKey]: Object.fromEntries(later) }),
    ...Object.fromEntries(carried),
  };
}

/** Only what the first release knows. */
function asTheFirst(keys: Written, { words = {}, most = {} }: NotOfTheFirst): Written {
  return Object.fromEntries(
    Object.entries(keys).map(([key, value]) => {
      if (typeof value === "string") return [key, words[key]?.[value] ?? value];
      return Array.isArray(value) && value.length > (most[key] ?? Infinity) ? [key, value.slice(0, most[key])] : [key, value];
    }),
  );
}

import { families } from "../faults/scenario.ts";
import { randomOf } from "../fuzz/random.ts";
import type { Family } from "./lab/base.ts";
import { isWhole } from "./whole.ts";

/**
 * What a run plays of what takes long: so many of them, drawn by the seed that the run prints. Over some runs each has its turn; WHOLE=1
 * plays all.
 */
export function drawn<Item>(items: readonly Item[], count: number): readonly Item[] {
  return isWhole ? items : drawnBy(Number(process.env["SEED"]), items, count);
}

/** One of the families of package managers is shown everything, the others what they have a say in most. */
export function isFamilyDrawn(family: Family): boolean {
  return drawn(families, 1).includes(family);
}

/** In their own order. */
export function drawnBy<Item>(seed: number, items: readonly Item[], count: number): readonly Item[] {
  const left = [...items];
  const random = randomOf(seed, items.length);
  const picked = new Set(
    Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.below(left.length), 1)[0]),
  );
  return items.filter((item) => picked.has(item));
}

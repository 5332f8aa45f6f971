import { randomOf } from "../fuzz/random.ts";

/** So many of them, the same ones for a seed. */
export function drawn<T>(all: readonly T[], { count, seed }: { readonly count: number; readonly seed: number }): readonly T[] {
  const { below } = randomOf(seed, 0);
  const left = [...all];
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    [left[at], left[other]] = [left[other]!, left[at]!];
  }
  return left.slice(0, count);
}

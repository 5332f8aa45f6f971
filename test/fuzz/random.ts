/** One stream of chance. Everything that the fuzzer does follows from it, so that a seed and an index repeat an input. */
export type Random = {
  /** A whole number from 0 up to, not including, the bound. */
  readonly below: (bound: number) => number;
  /** True once in so many times. */
  readonly onceIn: (times: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** Between the two numbers of pieces, both included. */
  readonly several: <Item>(least: number, most: number, make: () => Item) => Item[];
};

/** The stream of one input: it does not depend on the inputs before it. */
export function randomOf(seed: number, index: number): Random {
  let state = scramble(scramble(seed >>> 0) ^ (index >>> 0));
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    onceIn: (times) => below(times) === 0,
    pick: (items) => items[below(items.length)]!,
    several: (least, most, make) => Array.from({ length: least + below(most - least + 1) }, make),
  };
}

/** Neighbouring seeds must not give neighbouring streams. */
function scramble(number: number): number {
  let mixed = number | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}

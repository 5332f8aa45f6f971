/** Milliseconds of a clock that never jumps. Does not use the global `performance`, which loads much at its first use. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Milliseconds of a clock that never jumps. (The global `performance` loads a room at its first use.) */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Milliseconds of a clock that never jumps. (The global `performance` loads a room of its own at its first use.) */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const everyMs = 60_000;
const firstRetryMs = 2000;
/** Of the wait, to either side or off it: instances that began together must not ask together for ever. */
const spread = 0.2;

/** When an upstream is asked again, after so many failures in a row; `chance` lies in [0, 1). */
export function nextAskMs(failures: number, chance: number): number {
  if (failures === 0) return Math.round(everyMs * (1 - spread + 2 * spread * chance));
  const wait = Math.min(everyMs, firstRetryMs * 2 ** Math.min(failures - 1, 16));
  return Math.round(wait * (1 - spread * chance));
}

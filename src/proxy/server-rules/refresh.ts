import { hourSeconds } from "../../rules/window/seconds.ts";

const everyMs = 60_000;
const firstRetryMs = 2000;
/** Of the wait, to either side or off it: instances that began together must not ask together for ever. */
const spread = 0.2;

/** The last answer is served for six hours: whatever an upstream asks for, there are tries left before that ends. */
const longestAloneMs = hourSeconds * 1000;

export type Asked = {
  /** In a row. */
  readonly failures: number;
  /** How long the upstream wants to be left alone, where it has said so. */
  readonly aloneMs: number | undefined;
};

/** When an upstream is asked again; `chance` lies in [0, 1). */
export function nextAskMs({ failures, aloneMs = 0 }: Asked, chance: number): number {
  // Never sooner than it wants; and spread, for it tells all instances the same.
  const alone = Math.round(Math.min(aloneMs, longestAloneMs) * (1 + spread * chance));
  return Math.max(alone, ownWaitMs(failures, chance));
}

function ownWaitMs(failures: number, chance: number): number {
  if (failures === 0) return Math.round(everyMs * (1 - spread + 2 * spread * chance));
  const wait = Math.min(everyMs, firstRetryMs * 2 ** Math.min(failures - 1, 16));
  return Math.round(wait * (1 - spread * chance));
}

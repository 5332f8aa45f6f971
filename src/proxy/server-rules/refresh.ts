import { hourSeconds } from "../../rules/window/seconds.ts";

const everyMs = 60_000;
const firstRetryMs = 2000;
/** The random part of a wait, so that instances that began together do not always ask together. */
const spread = 0.2;

/** Shorter than the six hours for which the last answer is served, so that some tries remain whatever wait the upstream asks for. */
const longestAloneMs = hourSeconds * 1000;

export type Asked = {
  /** The number of failures in a row. */
  readonly failures: number;
  /** How long the upstream asked us to wait, if it did. */
  readonly aloneMs: number | undefined;
};

/** When to ask an upstream again; `chance` lies in [0, 1). */
export function nextAskMs({ failures, aloneMs = 0 }: Asked, chance: number): number {
  // Waits at least as long as the upstream asked, and a random time longer, because it asks the same of all instances.
  const alone = Math.round(Math.min(aloneMs, longestAloneMs) * (1 + spread * chance));
  return Math.max(alone, ownWaitMs(failures, chance));
}

function ownWaitMs(failures: number, chance: number): number {
  if (failures === 0) return Math.round(everyMs * (1 - spread + 2 * spread * chance));
  const wait = Math.min(everyMs, firstRetryMs * 2 ** Math.min(failures - 1, 16));
  return Math.round(wait * (1 - spread * chance));
}

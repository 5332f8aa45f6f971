import { setTimeout as sleep } from "node:timers/promises";

/** Ends early, without a fault, when the signal is raised. */
export async function wait(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
}

import { setTimeout as sleep } from "node:timers/promises";

/** Waits, and returns early without an error if the signal is raised. */
export async function wait(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
}

import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 5;

/** Asks again and again until there is an answer; says what was awaited when the deadline passes. */
export async function until<Answer>(
  awaited: string,
  timeoutMs: number,
  ask: () => Promise<Answer | undefined> | Answer | undefined,
): Promise<Answer> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`${awaited}: not after ${timeoutMs} ms`);
    await sleep(pollMs);
  }
}

import { setTimeout as sleep } from "node:timers/promises";

/** To ask starts programs in the host, and takes its processors from what is awaited: so the longer it lasts the less often. */
const pollsMs = { shortest: 5, longest: 50 };

/** Asks again and again until there is an answer; says what was awaited when the deadline passes. */
export async function until<Answer>(
  awaited: string,
  timeoutMs: number,
  ask: () => Promise<Answer | undefined> | Answer | undefined,
): Promise<Answer> {
  const begun = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    const waited = performance.now() - begun;
    if (waited > timeoutMs) throw new Error(`${awaited}: not after ${timeoutMs} ms`);
    await sleep(Math.min(Math.max(pollsMs.shortest, waited / 20), pollsMs.longest));
  }
}

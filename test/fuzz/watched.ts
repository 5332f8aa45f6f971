import { Worker } from "node:worker_threads";
import { inputAt, type Campaign, type Report } from "./campaign.ts";

/** No input takes a second; one that takes ten will not end. */
export const hangMs = 10_000;
const lookMs = 200;

/** A campaign in a thread of its own, so that an input that never ends is found and named, and the rest can be told. */
export async function fuzzWatched(campaign: Campaign, patienceMs: number = hangMs): Promise<Report> {
  const begun = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: { campaign, begun } });
  const { promise, resolve, reject } = Promise.withResolvers<Report | number>();
  worker.once("message", (report: Report) => resolve(report));
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("the fuzzing thread ended without a report")));
  const watch = setInterval(stuckAt(begun, patienceMs, resolve), lookMs);
  try {
    const outcome = await promise;
    if (typeof outcome !== "number") return outcome;
    const { target, input } = await inputAt(campaign, outcome);
    return { findings: [{ target, index: outcome, input, told: `does not end within ${patienceMs} ms` }], tallies: new Map() };
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}

/** Hears of the index that has not changed for too long; loading, before the first, may take its time. */
function stuckAt(begun: Int32Array, patienceMs: number, hear: (index: number) => void): () => void {
  let last = -1;
  let since = performance.now();
  return () => {
    const index = Atomics.load(begun, 0);
    if (index !== last) [last, since] = [index, performance.now()];
    else if (index >= 0 && performance.now() - since > patienceMs) hear(index);
  };
}

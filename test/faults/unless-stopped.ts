import type { Host } from "../system/lab/host.ts";

/** What is played on a host that is off fails at its next question to it; a scenario may just be waiting for something else. */
const patienceMs = 10_000;

/** The work, or its failure; where it is to stop meanwhile its host loses its power, and soon it fails in any case. */
export function unlessStopped<T>(host: Host, stop: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      host.powerCut().catch(reject);
      setTimeout(() => reject(new Error("the campaign was stopped")), patienceMs);
    };
    if (stop.aborted) {
      reject(new Error("the campaign was stopped"));
      return;
    }
    stop.addEventListener("abort", giveUp, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => stop.removeEventListener("abort", giveUp));
  });
}

import { parentPort, workerData } from "node:worker_threads";
import { fuzz, type Campaign } from "./campaign.ts";

/** `begun` holds the index of the input in hand, for the thread that looks whether it goes on. */
const { campaign, begun } = workerData as { readonly campaign: Campaign; readonly begun: Int32Array };

const report = await fuzz(campaign, (index) => Atomics.store(begun, 0, index));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(report);

import { setTimeout as pause } from "node:timers/promises";
import { monotonicMs } from "./monotonic.ts";

/** A clock that never jumps, and a wait by it. */
export type Stopwatch = { readonly nowMs: () => number; readonly wait: (ms: number) => Promise<void> };

export const stopwatch: Stopwatch = { nowMs: monotonicMs, wait: (ms) => pause(ms) };

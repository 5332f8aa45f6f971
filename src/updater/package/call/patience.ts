import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "../../../rules/fault/fault.ts";

/** How long another one at work is waited for, and how often it is tried meanwhile. */
export type Patience = { readonly forMs: number; readonly everyMs: number };

/** One in its last seconds is waited for; a longer one is left to the next pass. */
export const usualPatience: Patience = { forMs: 60_000, everyMs: 2000 };

/** `busy` says why not, and is asked for it only when the time is up. */
export type Tried<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "busy"; readonly busy: () => Fault };

/** Tries until nobody else is at work, or the time is up. Where that can be seen, nothing is tried while somebody is. */
export async function whenFree<T>(
  { forMs, everyMs }: Patience,
  attempt: () => Promise<Tried<T>>,
  isTaken: () => boolean = () => false,
): Promise<T> {
  for (let waitedMs = 0; ;) {
    const tried = await attempt();
    if (tried.kind === "done") return tried.value;
    if (waitedMs >= forMs) throw tried.busy();
    do {
      await pause(everyMs);
      waitedMs += everyMs;
    } while (waitedMs < forMs && isTaken());
  }
}

import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "../../../rules/fault/fault.ts";

/** How long to wait for another process, and how often to try meanwhile. */
export type Patience = { readonly forMs: number; readonly everyMs: number };

/** Waits for a process in its last seconds. If it runs longer, the next pass tries again. */
export const usualPatience: Patience = { forMs: 60_000, everyMs: 2000 };

/** What a try came to. `busy` says why it failed, and is called only when the time is up. */
export type Tried<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "busy"; readonly busy: () => Fault };

/** Tries until nobody else is working, or the time is up. Does not try again while `isTaken` shows that somebody is working. */
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

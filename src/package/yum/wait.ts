import { setTimeout as pause } from "node:timers/promises";
import type { LockHolder } from "../../host/lock-holder.ts";
import type { Ended } from "../result.ts";
import type { Arguments, YumCalls } from "./calls.ts";
import { namingHolder } from "../rpm/failure.ts";
import { holderIn, yumFault } from "./failure.ts";

/** Another run in its last seconds is waited for; a longer one is left to the next pass. */
export type Waiting = {
  readonly forMs: number;
  readonly everyMs: number;
  /** Who keeps rpm's own lock; dnf does not say that. */
  readonly rpmLockHolder: () => LockHolder | undefined;
};

type Acting = Pick<YumCalls, "act" | "program">;

export function downloading({ download, program }: Pick<YumCalls, "download" | "program">, into?: string): Acting {
  return { act: (args, what) => download(args, what, into), program };
}

/**
 * Calls until nobody else is at work, or the time is up. dnf itself would wait for ever, for its own locks; rpm's it does not
 * wait for at all.
 */
export async function actWhenFree(
  calls: Acting,
  args: Arguments,
  { what, waiting }: { readonly what: string; readonly waiting: Waiting },
): Promise<Ended> {
  for (let waited = 0; ; waited += waiting.everyMs) {
    const ended = await calls.act(args, what);
    if (ended.status === 0) return ended;
    const fault = yumFault(ended.output, { program: calls.program, command: what });
    if (fault.code !== "manager-busy") return ended;
    if (waited >= waiting.forMs) throw namingHolder(fault, holderIn(ended.output) ?? waiting.rpmLockHolder());
    await pause(waiting.everyMs);
  }
}

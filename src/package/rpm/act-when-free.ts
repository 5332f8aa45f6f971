import { setTimeout as pause } from "node:timers/promises";
import type { Ended } from "../result.ts";
import type { RpmCalls } from "./calls.ts";
import { isLocked, namingHolder, rpmFault } from "./failure.ts";

/**
 * Lets rpm change the host as soon as nobody else does, or gives up and says who it is. The managers' own locks do not count
 * here: they are held through hours of dead mirrors too, and rpm's alone guards the database.
 */
export async function actWhenFree(calls: RpmCalls, args: readonly string[], typed: string): Promise<Ended> {
  const { forMs, everyMs } = calls.patience;
  for (let waited = 0; ; waited += everyMs) {
    const ended = await calls.act(args, `rpm ${typed}`);
    if (ended.status === 0 || !isLocked(ended.output)) return ended;
    if (waited >= forMs) throw namingHolder(rpmFault(ended.output, typed), calls.lockHolder());
    await pause(everyMs);
  }
}

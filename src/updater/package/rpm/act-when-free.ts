import type { Ended } from "../call/result.ts";
import type { RpmCalls } from "./calls.ts";
import { isLocked, rpmFault } from "./failure.ts";
import { whenFree } from "../call/patience.ts";
import { namingHolder } from "../failure/failure.ts";

/**
 * Lets rpm change the host as soon as nobody else does, or gives up and says who it is. The managers' own locks do not count
 * here: they are held through hours of dead mirrors too, and rpm's alone guards the database.
 */
export function actWhenFree(calls: RpmCalls, args: readonly string[], typed: string): Promise<Ended> {
  return whenFree(calls.patience, async () => {
    const ended = await calls.act(args, `rpm ${typed}`);
    if (ended.status === 0 || !isLocked(ended.output)) return { kind: "done", value: ended };
    return { kind: "busy", busy: () => namingHolder(rpmFault(ended.output, typed), calls.lockHolder(), "rpm's database") };
  });
}

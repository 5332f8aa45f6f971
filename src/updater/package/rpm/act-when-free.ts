import type { Ended } from "../call/result.ts";
import type { RpmCalls } from "./calls.ts";
import { isLocked, rpmFault } from "./failure.ts";
import { whenFree } from "../call/patience.ts";
import { namingHolder } from "../failure/failure.ts";

/**
 * Lets rpm change the host when nobody else does, or gives up and names who does. Ignores the managers' own locks, which are held through hours of
 * dead mirrors: only rpm's lock guards the database.
 */
export function actWhenFree(calls: RpmCalls, args: readonly string[], typed: string): Promise<Ended> {
  return whenFree(calls.patience, async () => {
    const ended = await calls.act(args, `rpm ${typed}`);
    if (ended.status === 0 || !isLocked(ended.output)) return { kind: "done", value: ended };
    return { kind: "busy", busy: () => namingHolder(rpmFault(ended.output, typed), calls.lockHolder(), "rpm's database") };
  });
}

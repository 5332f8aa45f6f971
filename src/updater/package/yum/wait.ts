import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import type { Ended } from "../call/result.ts";
import { namingHolder } from "../failure/failure.ts";
import { holderIn, yumFault } from "./failure.ts";
import { whenFree, type Patience } from "../call/patience.ts";

export type Waiting = Patience & {
  /** Who keeps rpm's own lock; dnf does not say that. */
  readonly rpmLockHolder: () => LockHolder | undefined;
};

/**
 * Calls until nobody else is at work, or the time is up. dnf itself would wait for ever, for its own locks; rpm's it does not
 * wait for at all.
 */
export function actWhenFree(
  { program, waiting, what }: { readonly program: string; readonly waiting: Waiting; readonly what: string },
  act: (what: string) => Promise<Ended>,
): Promise<Ended> {
  return whenFree(waiting, async () => {
    const ended = await act(what);
    const fault = ended.status === 0 ? undefined : yumFault(ended.output, { program, command: what });
    if (fault?.code !== "manager-busy") return { kind: "done", value: ended };
    return { kind: "busy", busy: () => namingHolder(fault, holderIn(ended.output) ?? waiting.rpmLockHolder(), "rpm's database") };
  });
}

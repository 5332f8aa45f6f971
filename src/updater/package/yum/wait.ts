import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import type { Ended } from "../call/result.ts";
import { namingHolder } from "../failure/failure.ts";
import { holderIn, yumFault } from "./failure.ts";
import { whenFree, type Patience } from "../call/patience.ts";

export type Waiting = Patience & {
  /** Who holds rpm's own lock; dnf does not say. */
  readonly rpmLockHolder: () => LockHolder | undefined;
};

/** Calls until nobody else works, or the time is up. dnf would wait for its own locks for ever, and for rpm's not at all. */
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

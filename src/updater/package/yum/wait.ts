import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import type { Ended } from "../call/result.ts";
import { namingHolder } from "../failure/failure.ts";
import { holderIn, yumFault } from "./failure.ts";
import { whenFree, type Patience } from "../call/patience.ts";

export type Waiting = Patience & {
  /** Who holds rpm's own lock; dnf does not say. */
  readonly rpmLockHolder: () => LockHolder | undefined;
};

/** Calls dnf again while another program holds a lock, until the time is up. dnf itself would wait without end, or not at all. */
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

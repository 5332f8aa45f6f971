import type { LockHolder } from "../../host/lock-holder.ts";
import type { Ended } from "../result.ts";
import type { YumArguments, YumCalls } from "./calls.ts";
import { namingHolder } from "../failure.ts";
import { holderIn, yumFault } from "./failure.ts";
import { whenFree, type Patience } from "../patience.ts";

export type Waiting = Patience & {
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
export function actWhenFree(
  calls: Acting,
  args: YumArguments,
  { what, waiting }: { readonly what: string; readonly waiting: Waiting },
): Promise<Ended> {
  return whenFree(waiting, async () => {
    const ended = await calls.act(args, what);
    const fault = ended.status === 0 ? undefined : yumFault(ended.output, { program: calls.program, command: what });
    if (fault?.code !== "manager-busy") return { kind: "done", value: ended };
    return { kind: "busy", busy: () => namingHolder(fault, holderIn(ended.output) ?? waiting.rpmLockHolder(), "rpm's database") };
  });
}

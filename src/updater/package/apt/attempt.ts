import { asFault } from "../../../rules/fault/explain.ts";
import type { Fault } from "../../../rules/fault/fault.ts";
import { lockArgv, type Argv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault, holderIn } from "./failure.ts";
import { namingHolder } from "../failure/failure.ts";

/** Lets apt change the host, and tells what went wrong. `typed` is the call as an admin would type it, without options. */
export async function attempt({ act }: Pick<AptCalls, "act">, argv: Argv, typed: string): Promise<Fault | undefined> {
  try {
    const { status, output } = await act(argv, typed);
    if (status === 0) return undefined;
    const fault = aptFault(output, typed);
    if (fault.code !== "manager-busy") return fault;
    // Having waited for the lock in vain, apt does not say who holds it; asked again without waiting, it does.
    const holder = holderIn(output) ?? holderIn((await act(lockArgv(), "who holds the lock")).output);
    return namingHolder(fault, holder, "apt");
  } catch (thrown) {
    // A call that was killed or never started may have done a part of its work: what that needs is for the caller to do.
    return asFault(thrown);
  }
}

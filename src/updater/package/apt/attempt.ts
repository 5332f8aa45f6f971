import { asFault } from "../../../rules/fault/explain.ts";
import type { Fault } from "../../../rules/fault/fault.ts";
import { lockArgv, type Argv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault, holderIn } from "./failure.ts";
import { namingHolder } from "../failure/failure.ts";

/** Lets apt change the host, and says what went wrong. `typed`: the call as an administrator types it, without options. */
export async function attempt({ act }: Pick<AptCalls, "act">, argv: Argv, typed: string): Promise<Fault | undefined> {
  try {
    const { status, output } = await act(argv, typed);
    if (status === 0) return undefined;
    const fault = aptFault(output, typed);
    if (fault.code !== "manager-busy") return fault;
    // Asks again who holds the lock, because apt names the holder only if it does not wait.
    const holder = holderIn(output) ?? holderIn((await act(lockArgv(), "who holds the lock")).output);
    return namingHolder(fault, holder, "apt");
  } catch (thrown) {
    // A call that was killed or never started may have done part of its work. The caller handles that.
    return asFault(thrown);
  }
}

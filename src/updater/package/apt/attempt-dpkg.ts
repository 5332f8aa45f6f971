import { asFault } from "../../../rules/fault/explain.ts";
import type { Fault } from "../../../rules/fault/fault.ts";
import type { Argv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { dpkgFault, holderIn } from "./failure.ts";
import { dpkgLocks } from "./locks.ts";
import { lockHolderAmong } from "../../../machine/processes/lock-holder.ts";
import { whenFree } from "../call/patience.ts";
import { namingHolder } from "../failure/failure.ts";

/**
 * Lets dpkg change the host, and says what went wrong. dpkg gives up at once if another dpkg runs, so it is called again when that one has ended, for
 * as long as apt itself would wait. `typed`: the call as an administrator types it, without options.
 */
export async function attemptDpkg(
  { actOffline, root, patience }: Pick<AptCalls, "actOffline" | "root" | "patience">,
  argv: Argv,
  typed: string,
): Promise<Attempted> {
  // Does not call dpkg again while its lock is held: each call is a unit with lines in the journal.
  const isTaken = (): boolean => lockHolderAmong(root, dpkgLocks) !== undefined;
  let output = "";
  try {
    return await whenFree<Attempted>(
      patience,
      async () => {
        output = "";
        const ended = await actOffline(argv, `dpkg ${typed}`);
        ({ output } = ended);
        const failure = ended.status === 0 ? undefined : dpkgFault(output, typed);
        if (failure?.code !== "manager-busy") return { kind: "done", value: { failure, output } };
        const busy = (): Fault => namingHolder(failure, lockHolderAmong(root, dpkgLocks) ?? holderIn(output), "apt");
        return { kind: "busy", busy };
      },
      isTaken,
    );
  } catch (thrown) {
    // A call that was killed or never started may have done part of its work. The caller handles that.
    return { failure: asFault(thrown), output };
  }
}

type Attempted = { readonly failure: Fault | undefined; readonly output: string };

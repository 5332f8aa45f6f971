import { setTimeout as pause } from "node:timers/promises";
import { asFault } from "../../fault/explain.ts";
import type { Fault } from "../../fault/fault.ts";
import type { Argv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { dpkgFault, holderIn, namingHolder } from "./failure.ts";
import { dpkgLocks, holderOf } from "./locks.ts";

/**
 * Lets dpkg change the host, and tells what went wrong. Where another one is at work dpkg gives up at once, so it is called again
 * when that has ended, or as long as apt would wait for it. `typed` is the call as an admin would type it, without options.
 */
export async function attemptDpkg(
  { actOffline, root, patience }: Pick<AptCalls, "actOffline" | "root" | "patience">,
  argv: Argv,
  typed: string,
): Promise<{ readonly failure: Fault | undefined; readonly output: string }> {
  try {
    for (let leftMs = patience.forMs; ; leftMs = await leftAfterWaiting(root, { ...patience, forMs: leftMs })) {
      const { status, output } = await actOffline(argv, `dpkg ${typed}`);
      if (status === 0) return { failure: undefined, output };
      const fault = dpkgFault(output, typed);
      if (fault.code !== "manager-busy") return { failure: fault, output };
      if (leftMs <= 0) return { failure: namingHolder(fault, holderOf(root, dpkgLocks) ?? holderIn(output)), output };
    }
  } catch (thrown) {
    // A call that was killed or never started may have done a part of its work: what that needs is for the caller to do.
    return { failure: asFault(thrown), output: "" };
  }
}

/** Where the lock can be seen it is not tried meanwhile: each try is a unit of its own, with its lines in the journal. */
async function leftAfterWaiting(root: string, { forMs, everyMs }: AptCalls["patience"]): Promise<number> {
  let leftMs = forMs;
  do {
    await pause(everyMs);
    leftMs -= everyMs;
  } while (leftMs > 0 && holderOf(root, dpkgLocks) !== undefined);
  return leftMs;
}

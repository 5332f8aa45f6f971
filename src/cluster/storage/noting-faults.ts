import { Fault } from "../../rules/fault/fault.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Store } from "./port.ts";

/** How long a failed commit says something about the next one. */
const rememberSeconds = 60;

export type NotedStore = Store & {
  /** Why commits fail: the last one failed within the last minute. A full or locked store can still be read. */
  readonly failing: () => Fault | undefined;
};

export function notingFaults(store: Store, now: () => UnixSeconds): NotedStore {
  let failed: { readonly fault: Fault; readonly at: UnixSeconds } | undefined;
  return {
    ...store,
    commit: async (wanted) => {
      try {
        const done = await store.commit(wanted);
        failed = undefined;
        return done;
      } catch (thrown) {
        if (thrown instanceof Fault && thrown.code.startsWith("store-")) failed = { fault: thrown, at: now() };
        throw thrown;
      }
    },
    failing: () => (failed !== undefined && Math.abs(now() - failed.at) < rememberSeconds ? failed.fault : undefined),
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../logging/log.ts";
import { monotonicMs } from "../clocks/monotonic.ts";
import type { AskPorts } from "./ask-channel.ts";
import { routeFor, type ProxyVariables } from "../../rules/route/route.ts";

export type NetworkScope = {
  readonly proxies: ProxyVariables;
  readonly log: Log;
  readonly stopping: AbortSignal;
  /** The root directory of the host that asks; undefined if no host does. */
  readonly root?: string | undefined;
};

/** The network as this process reaches it. */
export function networkPorts({ proxies, log, stopping, root }: NetworkScope): AskPorts {
  return {
    routeOf: (url) => routeFor(url, proxies),
    monotonicMs,
    random: Math.random,
    wait: async (ms, signal) => {
      await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    },
    ownName: root === undefined ? undefined : async () => (await import("../files/host-id.ts")).hostIdBelow(root),
    signal: stopping,
    log,
  };
}

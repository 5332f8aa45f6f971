import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../host/log.ts";
import { monotonicMs } from "../host/monotonic.ts";
import { askChannel, type ChannelQuestion } from "../network/ask-channel.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import { routeFor, type ProxyVariables } from "../route/route.ts";

export type NetworkScope = { readonly proxies: ProxyVariables; readonly log: Log; readonly stopping: AbortSignal };

export function askNetwork(question: ChannelQuestion, { proxies, log, stopping }: NetworkScope): Promise<ChannelAnswer> {
  return askChannel(question, {
    routeOf: (url) => routeFor(url, proxies),
    monotonicMs,
    random: Math.random,
    wait: async (ms, signal) => {
      await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    },
    signal: stopping,
    log,
  });
}

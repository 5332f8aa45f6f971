import { setTimeout as sleep } from "node:timers/promises";
import { nothingHeard } from "../../rules/channel/heard.ts";
import type { ChannelName } from "../../rules/channel/path.ts";
import type { Log } from "../../machine/logging/log.ts";
import { routeFor, type ProxyVariables } from "../../rules/route/route.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Answers } from "./prepared-answers.ts";
import type { LoadedConfiguration } from "./load.ts";
import { askUpstream } from "./upstream/ask.ts";
import { openDispatchers } from "./upstream/dispatchers.ts";
import { keepAsking, type Upstream } from "./upstream/keep-asking.ts";
import { placesAtOrigins } from "./upstream/places.ts";

/** All upstreams of one configuration, asked until they are stopped. */
export type Upstreams = { readonly all: ReadonlyMap<ChannelName, Upstream>; readonly stop: () => Promise<void> };

export type UpstreamPorts = {
  readonly answers: Answers;
  readonly proxies: ProxyVariables;
  readonly now: () => UnixSeconds;
  readonly log: Log;
  /** The upstreams of the previous configuration, whose answers are served until new ones come. */
  readonly before: ReadonlyMap<ChannelName, Upstream>;
  readonly broken: (thrown: unknown) => void;
};

export function startUpstreams({ configuration, trust }: LoadedConfiguration, ports: UpstreamPorts): Upstreams {
  const { answers, before, now, log } = ports;
  const stopping = new AbortController();
  const { signal } = stopping;
  const dispatchers = openDispatchers(trust);
  const atOrigin = placesAtOrigins();
  const all = new Map<ChannelName, Upstream>();
  const { plainHttp } = configuration.forwarding;
  const routeOf = (url: string): ReturnType<typeof routeFor> => routeFor(url, ports.proxies);
  for (const [name, channel] of configuration.channels) {
    if (channel.kind === "static") continue;
    const known = before.get(name);
    const upstream: Upstream =
      known?.url === channel.url
        ? { ...known }
        : { url: channel.url, answer: undefined, heard: nothingHeard, failures: 0, trouble: undefined };
    all.set(name, upstream);
    if (upstream.answer !== undefined) answers.tell(name, upstream.answer, now());
    const asking = keepAsking(name, upstream, {
      ask: (asked, last, leaveAlone) =>
        askUpstream(asked, last, { routeOf, dispatchers, atOrigin, plainHttp, now, leaveAlone, signal }),
      tell: (told, { answer }) => answers.tell(told, answer, now()),
      wait: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
      random: Math.random,
      log,
      signal,
    });
    asking.catch(ports.broken);
  }
  return {
    all,
    stop: async () => {
      stopping.abort();
      await dispatchers.close();
    },
  };
}

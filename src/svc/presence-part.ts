import { hostname } from "node:os";
import type { Transport } from "../api/transport.ts";
import { build } from "../host/build.ts";
import { readClock } from "../host/clock.ts";
import type { Log } from "../host/log.ts";
import { startPresence } from "../presence/presence.ts";
import { proxyVariablesIn } from "../route/route.ts";
import type { ServerSurroundings } from "../server/surroundings.ts";
import { wait } from "./wait.ts";
import { waysBy } from "./ways.ts";

export type PresencePart = {
  /** Somebody may have joined since: `svc join` says to reload. */
  readonly look: () => void;
  /** To auth; undefined: it has not joined. */
  readonly transport: () => Transport | undefined;
  readonly stop: () => Promise<void>;
};

type PresencePlace = {
  readonly dataDirectory: string;
  readonly log: Log;
  readonly environment: ServerSurroundings["environment"];
};

/** The proxy of this host in its cluster, from when it has joined one. */
export function startProxyPresence({ dataDirectory, log, environment }: PresencePlace): PresencePart {
  const stop = new AbortController();
  const presence = startPresence({
    place: { dataDirectory, kind: "proxy" },
    about: { hostname: hostname(), services: ["proxy"], version: build.version },
    // The unit's own: it has those of /etc/default/svc.
    ways: waysBy(proxyVariablesIn(environment)),
    log,
    clock: () => readClock(),
    random: Math.random,
    wait,
    stopping: stop.signal,
  });
  return {
    look: presence.look,
    transport: presence.transport,
    stop: async () => {
      stop.abort();
      await presence.ended;
    },
  };
}

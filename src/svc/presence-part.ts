import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "../api/transport.ts";
import { isBooted } from "../host/booted.ts";
import { build } from "../host/build.ts";
import { readClock } from "../host/clock.ts";
import type { Log } from "../host/log.ts";
import { runCommand } from "../host/run-command.ts";
import { startPresence, type PresencePorts } from "../presence/presence.ts";
import { startReporting, type Reporting } from "../presence/reporting.ts";
import { proxyVariablesIn } from "../route/route.ts";
import type { ServerSurroundings } from "../server/surroundings.ts";
import { updaterBelow } from "../updater/updater.ts";
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
export function startProxyPresence(place: PresencePlace): PresencePart {
  const stop = new AbortController();
  const presence = startPresence(portsOf(place, { kind: "proxy", services: ["proxy"], stopping: stop.signal }));
  return {
    look: presence.look,
    transport: presence.transport,
    stop: async () => {
      stop.abort();
      await presence.ended;
    },
  };
}

type NodePlace = PresencePlace & {
  /** What runs in this process. */
  readonly services: readonly string[];
  readonly updaterRoot: string;
};

/** PID 1 answers in milliseconds; nobody waits longer for it at the end. */
const longestAskMs = 3000;

/** This host itself in its cluster: it tells auth what runs here and how its updater does, and its updater when it may work. */
export function startNodePresence({ services, updaterRoot, ...place }: NodePlace): PresencePart {
  const stop = new AbortController();
  const { log } = place;
  const updater = updaterBelow({ root: updaterRoot, run: runCommand, now: () => readClock().now });
  let reporting: Reporting | undefined;
  const shared = portsOf(place, { kind: "node", services, stopping: stop.signal });
  const presence = startPresence({
    ...shared,
    found: (what) => {
      if (what === "joined") reporting?.report();
      else log("notice", `this host belongs to no cluster yet; to join one: ${joinLine}`, {});
    },
  });
  reporting = startReporting({
    ...shared,
    joined: () => {
      const [transport, cluster] = [presence.transport(), presence.cluster()];
      return transport === undefined || cluster === undefined ? undefined : { transport, cluster };
    },
    updater: updater.describe,
    schedule: updater.schedule,
  });
  const { report, changed, goodbye, ended } = reporting;
  const watching = updater.watch(changed);
  return {
    look: () => {
      presence.look();
      report();
    },
    transport: presence.transport,
    stop: async () => {
      watching.close();
      stop.abort();
      await Promise.all([presence.ended, ended]);
      if (isBooted() && (await within(longestAskMs, updater.isHostGoingDown()))) await goodbye();
    },
  };
}

const joinLine =
  "`sudo svc join --auth-server HOST:PORT --token FILE --ca-pin sha256:…`, with what `tctl tokens add --type=node` on the auth host shows, then `sudo systemctl reload svc`";

/** False where there is no answer in time. */
async function within(ms: number, asked: Promise<boolean>): Promise<boolean> {
  const late = new AbortController();
  const waiting = sleep(ms, false, { signal: late.signal }).catch(() => false);
  try {
    return await Promise.race([asked, waiting]);
  } finally {
    late.abort();
  }
}

type Asked = { readonly kind: "node" | "proxy"; readonly services: readonly string[]; readonly stopping: AbortSignal };

function portsOf({ dataDirectory, log, environment }: PresencePlace, { kind, services, stopping }: Asked): PresencePorts {
  return {
    place: { dataDirectory, kind },
    about: { hostname: hostname(), services, version: build.version },
    // The unit's own: it has those of /etc/default/svc.
    ways: waysBy(proxyVariablesIn(environment)),
    log,
    clock: () => readClock(),
    random: Math.random,
    wait,
    stopping,
  };
}

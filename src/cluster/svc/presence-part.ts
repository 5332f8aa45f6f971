import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "../api/transport.ts";
import { isBooted } from "../../machine/processes/booted.ts";
import { build } from "../../machine/program/program-build.ts";
import { readClock } from "../../machine/clocks/read-clock.ts";
import type { Log } from "../../machine/logging/log.ts";
import { startPresence, type AuthPlace, type PresencePorts } from "../presence/presence.ts";
import { startReporting, type Reporting } from "../presence/reporting.ts";
import { proxyVariablesIn } from "../../rules/route/route.ts";
import type { ServerSurroundings } from "../../proxy/server/surroundings.ts";
import type { Updater } from "../host-updater/updater.ts";
import type { TunnelPorts, Tunnels } from "../tunnel/dial.ts";
import type { Identity } from "../presence/identity.ts";
import type { JoinConfiguration } from "../services/join-section.ts";
import { joinByItself } from "./join-by-itself.ts";
import { wait } from "./wait.ts";
import { waysBy } from "./routes-by-environment.ts";

export type PresencePart = {
  /** Reads the identity again at a reload, which `svc join` asks for. */
  readonly look: () => void;
  /** The connection to auth; undefined if the host has not joined. */
  readonly transport: () => Transport | undefined;
  readonly auth: () => AuthPlace | undefined;
  readonly identity: () => Identity | undefined;
  readonly stop: () => Promise<void>;
};

type PresencePlace = {
  readonly dataDirectory: string;
  readonly log: Log;
  readonly environment: ServerSurroundings["environment"];
};

type OwnPlace = PresencePlace & {
  /** A host that runs a proxy is a "proxy" of its cluster; any other host is a "node". */
  readonly kind: "node" | "proxy";
  readonly nodename: string;
  readonly updater: Updater;
  readonly join: JoinConfiguration | undefined;
  /** HOST:PORT where clients reach this host's proxy; undefined on a host without one. */
  readonly publicAddress: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** Keeps tunnels to the cluster's proxies; undefined where ssh_service is off. */
  readonly tunnels: ((ports: Omit<TunnelPorts, "sshd">) => Tunnels) | undefined;
};

/** How long to wait for PID 1 to say whether the host is shutting down. It usually answers in milliseconds. */
const longestAskMs = 3000;

/** Reports this host's services and updater to auth, and tells the updater when it may work. */
export function startOwnPresence({
  kind,
  nodename,
  updater,
  join,
  publicAddress,
  labels,
  tunnels: begin,
  ...place
}: OwnPlace): PresencePart {
  const stop = new AbortController();
  const { log } = place;
  let reporting: Reporting | undefined;
  const shared = portsOf(place, { kind, nodename, stopping: stop.signal });
  const presence = startPresence({
    ...shared,
    found: (what) => {
      if (what !== "not-joined") reporting?.report();
      else if (join === undefined) log("notice", `this host belongs to no cluster yet; to join one: ${joinLine(kind)}`, {});
      else log("info", "this host belongs to no cluster yet, and joins the one of its configuration", { auth: join.authServer });
    },
  });
  const tunnels = begin?.({ ...shared, identity: presence.identity, now: () => shared.clock().now });
  reporting = startReporting({
    ...shared,
    publicAddress,
    labels,
    ...(tunnels === undefined ? {} : { proxies: tunnels.keep }),
    joined: () => {
      const [transport, cluster] = [presence.transport(), presence.cluster()];
      return transport === undefined || cluster === undefined ? undefined : { transport, cluster };
    },
    updater: updater.describe,
    schedule: updater.schedule,
  });
  const { report, changed, goodbye, ended } = reporting;
  const watching = updater.watch(changed);
  const joining = join === undefined ? undefined : joinByItself(join, { ...shared, joined: presence.look });
  return {
    look: () => {
      presence.look();
      report();
    },
    transport: presence.transport,
    auth: presence.auth,
    identity: presence.identity,
    stop: async () => {
      watching.close();
      stop.abort();
      await Promise.all([presence.ended, ended, joining]);
      if (isBooted() && (await within(longestAskMs, updater.isHostGoingDown()))) await goodbye();
    },
  };
}

function joinLine(kind: OwnPlace["kind"]): string {
  return `\`sudo svc join --auth-server HOST:PORT --token FILE --ca-pin sha256:…\`, with what \`tctl tokens add --type=${kind}\` on the auth host shows, then \`sudo systemctl reload svc\``;
}

/** Whether the question was answered with yes in time. */
async function within(ms: number, asked: Promise<boolean>): Promise<boolean> {
  const late = new AbortController();
  const waiting = sleep(ms, false, { signal: late.signal }).catch(() => false);
  try {
    return await Promise.race([asked, waiting]);
  } finally {
    late.abort();
  }
}

type Asked = Pick<OwnPlace, "kind" | "nodename"> & { readonly stopping: AbortSignal };

function portsOf({ dataDirectory, log, environment }: PresencePlace, { kind, nodename, stopping }: Asked): PresencePorts {
  return {
    place: { dataDirectory, kind },
    about: { hostname: nodename, services: [kind], version: build.version },
    // systemd sets this process's variables from /etc/default/svc.
    ways: waysBy(proxyVariablesIn(environment)),
    log,
    clock: () => readClock(),
    random: Math.random,
    wait,
    stopping,
  };
}

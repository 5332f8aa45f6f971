import type { RunningAuth } from "../auth/service.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { build } from "../../machine/program/program-build.ts";
import { readClock } from "../../machine/clocks/read-clock.ts";
import type { Log } from "../../machine/logging/log.ts";
import { loadTrust } from "../../machine/network/trust.ts";
import { readIdentity } from "../presence/identity-file.ts";
import { joinCluster } from "../presence/join-cluster.ts";
import { isUnspecified, type HostPort } from "../../rules/route/host-port.ts";
import type { AuthConfiguration } from "../services/services.ts";
import { wait } from "./wait.ts";

type OwnInstance = {
  readonly kind: "proxy" | "node";
  readonly nodename: string;
  readonly configuration: AuthConfiguration;
  readonly auth: RunningAuth;
  readonly dataDirectory: string;
  readonly log: Log;
};

/** Joins a service to the auth service in the same process. If that fails, the other services continue. */
export async function joinOwn(own: OwnInstance): Promise<void> {
  try {
    await join(own);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    own.log("error", `${named[own.kind]} could not join the cluster of its auth service: ${thrown.message}; ${thrown.hint}`, {});
  }
}

const named = { proxy: "the proxy of this host", node: "this host" };

/** Does not join an instance that already belongs to a cluster. */
async function join({ kind, nodename, configuration, auth, dataDirectory, log }: OwnInstance): Promise<void> {
  const place = { dataDirectory, kind };
  if (readIdentity(place) !== undefined) return;
  const token = await auth.own.token(kind);
  const { identity } = await joinCluster(
    {
      authServers: [ownAddress(configuration, auth.port)],
      pins: [auth.own.pin()],
      token: () => ({ token, readableBy: "its owner" }),
      existing: "keep",
    },
    {
      place,
      about: { hostname: nodename, services: [kind], version: build.version },
      ways: { routeOf: () => ({ kind: "direct", rule: "it is this very process" }), trust: () => loadTrust(undefined) },
      clock: () => readClock(),
      random: Math.random,
      wait,
      stopping: new AbortController().signal,
    },
  );
  log("info", `${named[kind]} has joined the cluster of its auth service`, { instance: identity.stored.instance });
}

function ownAddress({ listen: { host } }: AuthConfiguration, port: number): HostPort {
  if (!isUnspecified(host)) return { host, port };
  return { host: host === "::" ? "::1" : "127.0.0.1", port };
}

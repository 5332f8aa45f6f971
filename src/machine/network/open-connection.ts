import type { LookupFunction, Socket } from "node:net";
import { Fault } from "../../rules/fault/fault.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";
import type { Route } from "../../rules/route/route.ts";
import { connectTo } from "./connect-to.ts";
import { Late } from "./failed.ts";
import type { Hop, SeenOnWay } from "./hop.ts";
import type { Trust } from "./trust.ts";

export type Opening = {
  readonly route: Route;
  /** Called only if the proxy speaks TLS. */
  readonly trust: () => Trust | undefined;
  readonly connectMs: number;
  readonly signal: AbortSignal;
  readonly lookup?: LookupFunction | undefined;
};

/**
 * Connects to a server for any protocol, directly or through a proxy by CONNECT. A proxy's failure is a Fault. A failure to reach the server is the
 * system's own error, which the caller explains.
 */
export async function openConnection(server: HostPort, opening: Opening): Promise<Socket> {
  const { route, trust, connectMs, signal, lookup } = opening;
  const ended = new AbortController();
  const seen: SeenOnWay = {
    phase: route.kind === "proxy" ? "tunnelling" : "connecting",
    addresses: [],
    certificate: undefined,
    protocol: undefined,
    status: undefined,
  };
  const timer = setTimeout(() => ended.abort(new Late(seen, connectMs)), connectMs);
  const stop = (): void => ended.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    ended.signal.throwIfAborted();
    if (route.kind === "direct") return await connectTo({ ...server, lookup, signal: ended.signal });
    const { openTunnel } = await import("./tunnel.ts");
    return await openTunnel(server, { route, trust, signal: ended.signal, lookup });
  } catch (error) {
    const failure: unknown = ended.signal.aborted ? ended.signal.reason : error;
    if (route.kind === "direct" || failure === signal.reason) throw failure;
    const { noteProxy } = await import("./tunnel.ts");
    await noteProxy(failure, { route, trust, signal: ended.signal, lookup, seen });
    const { explainFailure } = await import("./explain.ts");
    throw explainFailure(failure, { hop: hopTo(server, opening), seen });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

function hopTo(server: HostPort, { route, trust, connectMs, signal, lookup }: Opening): Hop {
  const isOverTls = route.kind === "proxy" && route.proxy.scheme === "https";
  return {
    url: urlOf(server),
    route,
    trust: isOverTls ? trust() : undefined,
    longestBody: 0,
    connectMs,
    wholeMs: connectMs,
    signal,
    lookup,
    watch: undefined,
  };
}

/** The server as a URL, for routes and messages about TLS. */
export function urlOf(server: HostPort): URL {
  const text = `https://${printHostPort(server)}`;
  const url = URL.parse(text);
  if (url !== null) return url;
  throw new Fault("usage", {
    message: `"${text}" is no address of a server`,
    hint: "HOST:PORT, with a DNS name or an IP address",
  });
}

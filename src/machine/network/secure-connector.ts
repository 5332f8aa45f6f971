import type { buildConnector } from "undici";
import type { Route } from "../../rules/route/route.ts";
import { openConnection } from "./open-connection.ts";
import type { Trust } from "./trust.ts";

type Through = { readonly route: Route; readonly trust: Trust | undefined; readonly connectMs: number };

/** Makes undici's TLS connections as all others are made, directly or through a proxy. */
export function secureConnector(
  secure: buildConnector.connector,
  { route, trust, connectMs }: Through,
): buildConnector.connector {
  const { signal } = new AbortController();
  return (options, opened) => {
    const server = { host: options.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(options.port || 443) };
    openConnection(server, { route, trust: () => trust, connectMs, signal }).then(
      (httpSocket) => secure({ ...options, httpSocket }, opened),
      (thrown: Error) => opened(thrown, null),
    );
  };
}

import { isLoopback, parseHost } from "../route/host.ts";
import type { Configuration } from "./configuration.ts";
import { isUnspecified, printHostPort } from "./host-port.ts";

/** Whose version the channel `default` serves. */
export type DefaultServes = "svc-proxy's own version" | "what is configured";

/** What is allowed and may be a slip all the same. */
export function remarksOn({ listen, keyPairs }: Configuration, serves: DefaultServes): readonly string[] {
  const host = parseHost(listen.host);
  const isHere = host !== undefined && isLoopback(host) && !isUnspecified(listen.host);
  return [
    ...(serves === "svc-proxy's own version"
      ? ["the channel default serves svc-proxy's own version: set proxy_service.version to the cluster's"]
      : []),
    ...(keyPairs.length === 0 && !isHere
      ? [`there are no https_keypairs, so ${printHostPort(listen)} is plain http: something before it must speak TLS`]
      : []),
  ];
}

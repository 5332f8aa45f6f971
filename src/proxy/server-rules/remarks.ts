import { isLoopback, parseHost } from "../../rules/route/host.ts";
import type { Configuration } from "./configuration.ts";
import { isUnspecified, printHostPort } from "../../rules/route/host-port.ts";

/** svc-proxy is a program beside the cluster and has its own version. svc is the cluster's program and serves the cluster's version. */
export type ServingProgram = "svc-proxy" | "svc";

/** Which version the channel `default` serves. */
export type DefaultServes = "the program's own version" | "what is configured";

type Read = { readonly serves: DefaultServes; readonly program: ServingProgram };

/** Allowed settings that may be mistakes. */
export function remarksOn({ listen, keyPairs }: Configuration, { serves, program }: Read): readonly string[] {
  const host = parseHost(listen.host);
  const isHere = host !== undefined && isLoopback(host) && !isUnspecified(listen.host);
  return [
    ...(serves === "the program's own version" && program === "svc-proxy"
      ? ["the channel default serves svc-proxy's own version: set proxy_service.version to the cluster's"]
      : []),
    ...(keyPairs.length === 0 && !isHere
      ? [`there are no https_keypairs, so ${printHostPort(listen)} is plain http: something before it must speak TLS`]
      : []),
  ];
}

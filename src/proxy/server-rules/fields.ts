import { path } from "../../rules/settings/read-text.ts";
import type { Level } from "../../rules/shape/check.ts";
import { accepted, refused } from "../../rules/shape/reading.ts";
import { maybe, oneOf, own, record, refined, truth, type Shape } from "../../rules/shape/shape.ts";
import type { Configuration } from "./configuration.ts";
import { channels } from "./read-channels.ts";
import { keyPairs } from "./read-key-pairs.ts";
import { listenAddress, onePublicAddress, servicePublicAddress, version, yesOrNo } from "./read-values.ts";

export const authFields = { proxy_listener_mode: oneOf(["multiplex", "separate"]) };

/** The keys for how upstreams are asked. */
export const forwardingFields = { ca_file: path("an absolute path of a file"), allow_plain_http: truth };

const forwarding: Shape<Configuration["forwarding"]> = refined(
  record({ ca_file: maybe(forwardingFields.ca_file), allow_plain_http: maybe(forwardingFields.allow_plain_http) }),
  ({ ca_file: caFile, allow_plain_http: isAllowed }) =>
    accepted({ caFile, plainHttp: isAllowed === true ? "allowed" : "loopback-only" }),
);

/** Refuses the keys of a single pair. If they were ignored, the listener would serve without TLS. */
const onePairOnly: Shape<never> = own(refused, "https_keypairs: [{key_file, cert_file}] in place of a single pair");

/** Our keys below proxy_service. */
export const proxyFields = {
  enabled: yesOrNo,
  public_addr: onePublicAddress,
  web_listen_addr: listenAddress,
  diag_addr: listenAddress,
  version,
  https_keypairs: keyPairs,
  https_key_file: onePairOnly,
  https_cert_file: onePairOnly,
  automatic_upgrades_channels: channels,
  automatic_upgrades_forwarding: forwarding,
  listen_addr: listenAddress,
  tunnel_listen_addr: listenAddress,
  ssh_public_addr: servicePublicAddress,
  tunnel_public_addr: servicePublicAddress,
  kube_listen_addr: listenAddress,
  kube_public_addr: servicePublicAddress,
  mysql_listen_addr: listenAddress,
  mysql_public_addr: servicePublicAddress,
  postgres_public_addr: servicePublicAddress,
};

export type ProxyValues = Level<typeof proxyFields>["values"];

/** Keys of a cluster's file that resemble ours and mean something else. */
export const resembling: readonly string[] = [
  "peer_listen_addr",
  "peer_public_addr",
  "mongo_listen_addr",
  "mongo_public_addr",
  "redis_listen_addr",
  "redis_public_addr",
  "postgres_listen_addr",
  "https_keypairs_reload_interval",
];

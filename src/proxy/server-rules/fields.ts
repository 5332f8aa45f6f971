import { readFlag, readOneOf, readPath } from "../../rules/settings/read-text.ts";
import { accepted, isMapping, refused, refusedAs, type SettingReading } from "../../rules/settings/reading.ts";
import type { Version } from "../../rules/version/version.ts";
import type { Channels, Configuration, KeyPairFiles, ListenerMode } from "./configuration.ts";
import type { Address } from "../../rules/route/host-port.ts";
import { readLevel, type Field, type Level } from "./read-mapping.ts";
import { channels } from "./read-channels.ts";
import { keyPairs } from "./read-key-pairs.ts";
import { listenAddress, onePublicAddress, servicePublicAddress, version, yesOrNo } from "./read-values.ts";

const mode: Field<ListenerMode> = { read: readOneOf(["multiplex", "separate"]), allowed: "multiplex or separate" };

export const authFields: { readonly proxy_listener_mode: Field<ListenerMode> } = { proxy_listener_mode: mode };

const forwarding: Field<Configuration["forwarding"]> = {
  read: readForwarding,
  allowed: "a mapping of ca_file, allow_plain_http",
};

/** Every key of how upstreams are asked. */
export const forwardingFields: { readonly ca_file: Field<string>; readonly allow_plain_http: Field<boolean> } = {
  ca_file: { read: readPath, allowed: "an absolute path of a file" },
  allow_plain_http: { read: readFlag, allowed: "true or false" },
};

/** Passed over, they would leave a listener without TLS that was meant to have it. */
const onePairOnly: Field<never> = { read: refused, allowed: "https_keypairs: [{key_file, cert_file}] in place of a single pair" };

type AddressKey =
  | "public_addr"
  | "web_listen_addr"
  | "diag_addr"
  | "listen_addr"
  | "tunnel_listen_addr"
  | "ssh_public_addr"
  | "tunnel_public_addr"
  | "kube_listen_addr"
  | "kube_public_addr"
  | "mysql_listen_addr"
  | "mysql_public_addr"
  | "postgres_public_addr";

type ProxyFields = { readonly [Key in AddressKey]: Field<Address> } & {
  readonly enabled: Field<"yes" | "no">;
  readonly version: Field<Version>;
  readonly https_keypairs: Field<readonly KeyPairFiles[]>;
  readonly https_key_file: Field<never>;
  readonly https_cert_file: Field<never>;
  readonly automatic_upgrades_channels: Field<Channels>;
  readonly automatic_upgrades_forwarding: Field<Configuration["forwarding"]>;
};

/** Every key below proxy_service that is ours. */
export const proxyFields: ProxyFields = {
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

export type ProxyValues = Level<ProxyFields>["values"];

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

function readForwarding(raw: unknown): SettingReading<Configuration["forwarding"]> {
  if (!isMapping(raw)) return refused(raw);
  const { values, refusals } = readLevel(raw, forwardingFields, { kind: "none" });
  if (refusals.length > 0) return refusedAs(refusals);
  return accepted({ caFile: values.ca_file, plainHttp: values.allow_plain_http === true ? "allowed" : "loopback-only" });
}

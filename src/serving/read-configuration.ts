import type { ChannelName } from "../channel/path.ts";
import { isPlainHttpAbroad } from "../settings/endpoint.ts";
import { nearest } from "../settings/nearest.ts";
import { unknownKey } from "../settings/read-ranges.ts";
import { readFlag, readOneOf, readPath } from "../settings/read-text.ts";
import {
  accepted,
  describe,
  isMapping,
  refused,
  refusedAs,
  type Mapping,
  type Reading,
  type Refusal,
} from "../settings/reading.ts";
import type { Origin, SettingFault } from "../settings/settings.ts";
import type { Version } from "../version/version.ts";
import type { Channels, Configuration, ListenerMode } from "./configuration.ts";
import { isUnspecified, printHostPort, withPort, type Address, type HostPort } from "./host-port.ts";
import { readLevel, type Field, type Level, type Table } from "./level.ts";
import { channels } from "./read-channels.ts";
import { keyPairs } from "./read-key-pairs.ts";
import { remarksOn, type DefaultServes } from "./remarks.ts";
import { listenAddress, onePublicAddress, servicePublicAddress, version, yesOrNo } from "./read-values.ts";

export type ReadConfiguration =
  | { readonly kind: "configuration"; readonly configuration: Configuration; readonly remarks: readonly string[] }
  | { readonly kind: "faults"; readonly faults: readonly SettingFault[]; readonly remarks: readonly string[] };

export type Source = {
  readonly origin: Origin;
  /** What `default` serves where nothing else is said. */
  readonly ownVersion: Version;
};

/**
 * The Proxy Service part of the platform's configuration. The other services' keys are theirs; what is nearly a key of
 * ours is a slip. All faults are told at once.
 */
export function readConfiguration(raw: unknown, { origin, ownVersion }: Source): ReadConfiguration {
  const top = raw ?? {};
  if (!isMapping(top)) {
    return { kind: "faults", faults: [{ origin, key: "", found: describe(raw), allowed: "a mapping" }], remarks: [] };
  }
  const auth = readSection(top, "auth_service", authFields);
  const proxy = readSection(top, "proxy_service", proxyFields);
  const missing = top["proxy_service"] === undefined ? [missingSection(top)] : [];
  const remarks = proxy.passedOver.map((name) => `proxy_service.${name} is not svc-proxy's, and is passed over`);
  const isSection = missing.length === 0 && isMapping(top["proxy_service"] ?? {});
  const built = !isSection ? undefined : build(proxy.values, auth.values.proxy_listener_mode ?? "multiplex", ownVersion);
  const isRefused = (key: string): boolean => proxy.refusals.some(({ at }) => at.startsWith(key));
  // What was refused for what it is, is not refused again for being absent.
  const crossed = built?.kind === "refused" ? built.refusals.filter(({ at }) => !isRefused(at)) : [];
  const refusals = [...auth.refusals, ...missing, ...proxy.refusals, ...crossed];
  if (built?.kind === "value" && refusals.length === 0) {
    const more = remarksOn(built.value, defaultServes(proxy.values));
    return { kind: "configuration", configuration: built.value, remarks: [...remarks, ...more] };
  }
  const faults = refusals.map(({ at, found, allowed = "" }) => ({ origin, key: at, found, allowed }));
  return { kind: "faults", faults, remarks };
}

const mode: Field<ListenerMode> = { read: readOneOf(["multiplex", "separate"]), allowed: "multiplex or separate" };

const authFields = { proxy_listener_mode: mode };

const forwarding: Field<Configuration["forwarding"]> = {
  read: readForwarding,
  allowed: "a mapping of ca_file, allow_plain_http",
};

/** Passed over, they would leave a listener without TLS that was meant to have it. */
const onePairOnly: Field<never> = { read: refused, allowed: "https_keypairs: [{key_file, cert_file}] in place of a single pair" };

const proxyFields = {
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

type ProxyValues = Level<typeof proxyFields>["values"];

/** Keys of a cluster's file that resemble ours and mean something else. */
const resembling: readonly string[] = [
  "peer_listen_addr",
  "peer_public_addr",
  "mongo_listen_addr",
  "mongo_public_addr",
  "redis_listen_addr",
  "redis_public_addr",
  "postgres_listen_addr",
  "https_keypairs_reload_interval",
];

function readSection<Fields extends Table>(top: Mapping, name: string, fields: Fields): Level<Fields> {
  const raw = top[name] ?? {};
  const level = readLevel(isMapping(raw) ? raw : {}, fields, { kind: "others", known: resembling });
  const refusals = level.refusals.map((refusal) => ({ ...refusal, at: `${name}${refusal.at}` }));
  const kind: readonly Refusal[] = isMapping(raw) ? [] : [{ at: name, found: describe(raw), allowed: "a mapping" }];
  return { ...level, refusals: [...kind, ...refusals] };
}

function missingSection(top: Mapping): Refusal {
  const meant = nearest("proxy_service", Object.keys(top));
  const found = meant === undefined ? "nothing" : `nothing, but ${describe(meant)}: ${unknownKey("proxy_service")}`;
  return { at: "proxy_service", found, allowed: "a mapping with at least public_addr" };
}

function readForwarding(raw: unknown): Reading<Configuration["forwarding"]> {
  if (!isMapping(raw)) return refused(raw);
  const fields = {
    ca_file: { read: readPath, allowed: "an absolute path of a file" },
    allow_plain_http: { read: readFlag, allowed: "true or false" },
  };
  const { values, refusals } = readLevel(raw, fields, { kind: "none" });
  if (refusals.length > 0) return refusedAs(refusals);
  return accepted({ caFile: values.ca_file, plainHttp: values.allow_plain_http === true ? "allowed" : "loopback-only" });
}

/** What the values mean together. A value that was refused is not refused again for being absent. */
function build(values: ProxyValues, listenerMode: ListenerMode, ownVersion: Version): Reading<Configuration> {
  const listen = withPort(values.web_listen_addr ?? { host: "0.0.0.0", port: undefined }, webPort);
  const diagnostics = withPort(values.diag_addr ?? { host: "127.0.0.1", port: undefined }, diagnosticsPort);
  const publicAddress = values.public_addr ?? publicByListening(listen);
  const forwarded = values.automatic_upgrades_forwarding ?? { caFile: undefined, plainHttp: "loopback-only" };
  const read: Channels = values.automatic_upgrades_channels ?? new Map();
  const refusals = [
    ...(values.enabled === "no" ? [disabled] : []),
    ...(publicAddress === undefined ? [publicMissing] : []),
    ...(sameAddress(listen, diagnostics) ? [sameListener(diagnostics)] : []),
    ...(forwarded.plainHttp === "allowed" ? [] : plainHttpAbroad(read)),
  ];
  if (publicAddress === undefined || refusals.length > 0) return refusedAs(refusals);
  const own = { kind: "static", served: { kind: "version", version: values.version ?? ownVersion }, isCritical: false } as const;
  return accepted({
    mode: listenerMode,
    publicAddress: withPort(publicAddress, listenerMode === "multiplex" ? tlsPort : webPort),
    listen,
    diagnostics,
    keyPairs: values.https_keypairs ?? [],
    services: {
      sshListen: values.listen_addr,
      tunnelListen: values.tunnel_listen_addr,
      sshPublic: values.ssh_public_addr,
      tunnelPublic: values.tunnel_public_addr,
      kubeListen: values.kube_listen_addr,
      kubePublic: values.kube_public_addr,
      mysqlListen: values.mysql_listen_addr,
      mysqlPublic: values.mysql_public_addr,
      postgresPublic: values.postgres_public_addr,
    },
    channels: new Map([["default" as ChannelName, own], ...read]),
    forwarding: forwarded,
  });
}

function defaultServes(values: ProxyValues): DefaultServes {
  const isGiven = values.version !== undefined || values.automatic_upgrades_channels?.has("default" as ChannelName) === true;
  return isGiven ? "what is configured" : "svc-proxy's own version";
}

const tlsPort = 443;
const webPort = 3080;
const diagnosticsPort = 3081;

/** Where the service listens on one address of its own, that is where it is reached. */
function publicByListening({ host, port }: HostPort): Address | undefined {
  return isUnspecified(host) ? undefined : { host, port };
}

const disabled: Refusal = { at: "proxy_service.enabled", found: "no", allowed: "yes, where svc-proxy is to serve" };

const publicMissing: Refusal = {
  at: "proxy_service.public_addr",
  found: "nothing",
  allowed: `${onePublicAddress.allowed}; it may be left out where web_listen_addr names one address`,
};

function sameAddress(left: HostPort, right: HostPort): boolean {
  return left.port === right.port && (left.host === right.host || isUnspecified(left.host) || isUnspecified(right.host));
}

function sameListener(diagnostics: HostPort): Refusal {
  const found = `${printHostPort(diagnostics)}, where web_listen_addr listens already`;
  return { at: "proxy_service.diag_addr", found, allowed: "another address or port than web_listen_addr's" };
}

/** Anyone on the way could choose the version of a whole fleet. */
function plainHttpAbroad(read: Channels): readonly Refusal[] {
  return [...read].flatMap(([name, channel]) => {
    if (channel.kind === "static" || !isPlainHttpAbroad(channel.url)) return [];
    const found = `${describe(channel.url)}, which is plain http and not on this host`;
    const allowed = "an https URL, or automatic_upgrades_forwarding: {allow_plain_http: true} where the network is trusted";
    return [{ at: `proxy_service.automatic_upgrades_channels.${name}.forward_url`, found, allowed }];
  });
}

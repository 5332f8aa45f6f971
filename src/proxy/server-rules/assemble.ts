import type { ChannelName } from "../../rules/channel/path.ts";
import { isPlainHttpAbroad } from "../../rules/settings/endpoint.ts";
import { allowedFor } from "../../rules/shape/allowed.ts";
import { accepted, describe, refusedAs, type Checked, type Refusal } from "../../rules/shape/reading.ts";
import type { Version } from "../../rules/version/version.ts";
import type { Channels, Configuration, ListenerMode } from "./configuration.ts";
import type { ProxyValues } from "./fields.ts";
import {
  isSameListener,
  isUnspecified,
  printHostPort,
  withPort,
  type Address,
  type HostPort,
} from "../../rules/route/host-port.ts";
import { onePublicAddress } from "./read-values.ts";
import type { DefaultServes } from "./remarks.ts";

/** This program and this host. */
export type Own = {
  readonly ownVersion: Version;
  /** Undefined if it has no name that clients could use. */
  readonly ownHost: string | undefined;
};

/** Checks the values against each other. Does not report a refused value again as missing. */
export function assemble(values: ProxyValues, listenerMode: ListenerMode, { ownVersion, ownHost }: Own): Checked<Configuration> {
  const listen = withPort(values.web_listen_addr ?? { host: "0.0.0.0", port: undefined }, webPort);
  const diagnostics = withPort(values.diag_addr ?? { host: "127.0.0.1", port: undefined }, diagnosticsPort);
  const publicAddress = values.public_addr ?? publicByListening(listen) ?? publicByName(values, ownHost);
  const forwarded = values.automatic_upgrades_forwarding ?? { caFile: undefined, plainHttp: "loopback-only" };
  const read: Channels = values.automatic_upgrades_channels ?? new Map();
  const refusals = [
    ...(values.enabled === "no" ? [disabled] : []),
    ...(publicAddress === undefined ? [publicMissing] : []),
    ...(isSameListener(listen, diagnostics) ? [sameListener(diagnostics)] : []),
    ...(forwarded.plainHttp === "allowed" ? [] : plainHttpAbroad(read)),
  ];
  if (publicAddress === undefined || refusals.length > 0) return refusedAs(refusals);
  const own = { kind: "static", served: { kind: "version", version: values.version ?? ownVersion }, isCritical: false } as const;
  return accepted({
    mode: listenerMode,
    // Without TLS routing the web has its own port, and only the listening port is known.
    publicAddress: withPort(publicAddress, listenerMode === "multiplex" ? tlsPort : listen.port),
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

export function defaultServes(values: ProxyValues): DefaultServes {
  const isGiven = values.version !== undefined || values.automatic_upgrades_channels?.has("default" as ChannelName) === true;
  return isGiven ? "what is configured" : "the program's own version";
}

const tlsPort = 443;
const webPort = 3080;
const diagnosticsPort = 3081;

/** Clients reach a service at its listening address, if that is one address and not all of the host's. */
function publicByListening({ host, port }: HostPort): Address | undefined {
  return isUnspecified(host) ? undefined : { host, port };
}

/** `enabled: yes` alone is enough on a host whose name clients know. */
export function publicByName({ enabled }: Pick<ProxyValues, "enabled">, ownHost: string | undefined): Address | undefined {
  return enabled === "yes" && ownHost !== undefined ? { host: ownHost, port: undefined } : undefined;
}

const disabled: Refusal = { at: "proxy_service.enabled", found: "no", allowed: "yes, where svc-proxy is to serve" };

const publicMissing: Refusal = {
  at: "proxy_service.public_addr",
  found: "nothing",
  allowed: `${allowedFor(onePublicAddress)}; it may be left out where web_listen_addr names one address`,
};

function sameListener(diagnostics: HostPort): Refusal {
  const found = `${printHostPort(diagnostics)}, where web_listen_addr listens already`;
  return { at: "proxy_service.diag_addr", found, allowed: "another address or port than web_listen_addr's" };
}

/** Anyone who can change plain HTTP could choose the version of a whole fleet. */
function plainHttpAbroad(read: Channels): readonly Refusal[] {
  return [...read].flatMap(([name, channel]) => {
    if (channel.kind === "static" || !isPlainHttpAbroad(channel.url)) return [];
    const found = `${describe(channel.url)}, which is plain http and not on this host`;
    const allowed = "an https URL, or automatic_upgrades_forwarding: {allow_plain_http: true} where the network is trusted";
    return [{ at: `proxy_service.automatic_upgrades_channels.${name}.forward_url`, found, allowed }];
  });
}

import type { ChannelName } from "../../rules/channel/path.ts";
import type { Served } from "../../rules/channel/answer.ts";
import type { Endpoint } from "../../rules/settings/settings.ts";
import type { Address, HostPort } from "../../rules/route/host-port.ts";

/** Whether one port serves the whole Proxy Service, or each service has its own. */
export type ListenerMode = "multiplex" | "separate";

/** Where a channel's version comes from. A held version is never critical. */
export type Channel =
  | { readonly kind: "static"; readonly served: Served; readonly isCritical: boolean }
  | { readonly kind: "forwarded"; readonly url: Endpoint };

export type Channels = ReadonlyMap<ChannelName, Channel>;

export type KeyPairFiles = { readonly keyFile: string; readonly certFile: string };

/** The services' addresses, if the configuration names them. */
export type ServiceAddresses = {
  readonly sshListen: Address | undefined;
  readonly tunnelListen: Address | undefined;
  readonly sshPublic: Address | undefined;
  readonly tunnelPublic: Address | undefined;
  readonly kubeListen: Address | undefined;
  readonly kubePublic: Address | undefined;
  readonly mysqlListen: Address | undefined;
  readonly mysqlPublic: Address | undefined;
  readonly postgresPublic: Address | undefined;
};

/** The Proxy Service's part of the configuration. It was checked, and no other code checks it again. */
export type Configuration = {
  readonly mode: ListenerMode;
  /** The address of the web. In multiplex mode, every service has this address. */
  readonly publicAddress: HostPort;
  readonly listen: HostPort;
  readonly diagnostics: HostPort;
  /** Empty means plain http. */
  readonly keyPairs: readonly KeyPairFiles[];
  readonly services: ServiceAddresses;
  readonly channels: Channels;
  readonly forwarding: { readonly caFile: string | undefined; readonly plainHttp: "loopback-only" | "allowed" };
};

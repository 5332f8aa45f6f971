import type { Configuration } from "./configuration.ts";
import { printHostPort, withPort, type Address } from "../../rules/route/host-port.ts";

/** Where clients reach each service: the answer of `/webapi/ping`. */
export type Ping = {
  readonly proxy: {
    readonly kube: { readonly enabled: boolean; readonly public_addr: string; readonly listen_addr: string };
    readonly ssh: {
      readonly listen_addr: string;
      readonly tunnel_listen_addr: string;
      readonly public_addr: string;
      readonly ssh_public_addr: string;
      readonly ssh_tunnel_public_addr: string;
    };
    readonly db: {
      readonly postgres_public_addr: string;
      readonly mysql_listen_addr: string;
      readonly mysql_public_addr: string;
    };
    readonly tls_routing_enabled: boolean;
  };
};

/** The services' own ports in separate mode. */
const ports = { ssh: 3023, tunnel: 3024, kube: 3026, mysql: 3036, postgres: 5432 } as const;

/** A configured address counts in both modes. The mode decides the addresses that are not configured. */
export function pingOf(configuration: Configuration): Ping {
  const { mode, services, publicAddress, listen } = configuration;
  const isMultiplexed = mode === "multiplex";
  const listensAt = (given: Address | undefined, port: number): string => {
    if (given !== undefined) return printHostPort(withPort(given, port));
    return printHostPort(isMultiplexed ? listen : { host: listen.host, port });
  };
  const reachedAt = (given: Address | undefined, port: number): string => {
    if (given !== undefined) return printHostPort(withPort(given, isMultiplexed ? publicAddress.port : port));
    return printHostPort(isMultiplexed ? publicAddress : { host: publicAddress.host, port });
  };
  return {
    proxy: {
      kube: {
        // This program serves no Kubernetes. An address means that another program does.
        enabled: services.kubeListen !== undefined || services.kubePublic !== undefined,
        public_addr: reachedAt(services.kubePublic, ports.kube),
        listen_addr: listensAt(services.kubeListen, ports.kube),
      },
      ssh: {
        listen_addr: listensAt(services.sshListen, ports.ssh),
        tunnel_listen_addr: listensAt(services.tunnelListen, ports.tunnel),
        public_addr: printHostPort(publicAddress),
        ssh_public_addr: reachedAt(services.sshPublic, ports.ssh),
        ssh_tunnel_public_addr: reachedAt(services.tunnelPublic, ports.tunnel),
      },
      db: {
        postgres_public_addr: reachedAt(services.postgresPublic, ports.postgres),
        mysql_listen_addr: listensAt(services.mysqlListen, ports.mysql),
        mysql_public_addr: reachedAt(services.mysqlPublic, ports.mysql),
      },
      tls_routing_enabled: isMultiplexed,
    },
  };
}

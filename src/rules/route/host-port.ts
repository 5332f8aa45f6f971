import { parseHost } from "./host.ts";
import { parsePort } from "./port.ts";

export type HostPort = { readonly host: string; readonly port: number };

/** An address as written. A missing port comes from the table of ports, by the listener mode. */
export type Address = { readonly host: string; readonly port: number | undefined };

/** Reads an IP address or a DNS name with an optional port. An IPv6 address needs brackets before a port. */
export function parseAddress(text: string): Address | undefined {
  const whole = parseHost(text);
  if (whole !== undefined) return { host: whole.text, port: undefined };
  const [, bracketed, bare, portText] = /^(?:\[([^[\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = parseHost(bracketed ?? bare ?? "");
  if (host === undefined || (bracketed !== undefined) !== host.text.includes(":")) return undefined;
  if (portText === undefined) return { host: host.text, port: undefined };
  const port = parsePort(portText);
  return port === undefined ? undefined : { host: host.text, port };
}

export function withPort({ host, port }: Address, otherwise: number): HostPort {
  return { host, port: port ?? otherwise };
}

export function printHostPort({ host, port }: HostPort): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether nobody can listen on both addresses at the same time. */
export function isSameListener(left: HostPort, right: HostPort): boolean {
  return left.port === right.port && (left.host === right.host || isUnspecified(left.host) || isUnspecified(right.host));
}

/** Whether the host means every address, which works for listening but not for connecting. */
export function isUnspecified(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

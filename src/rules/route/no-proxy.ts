import { quote } from "../text/quote.ts";
import { networkHolds, parseAddress, parseNetwork, type Address, type AddressRange } from "./address.ts";
import { parseName, type Host } from "./host.ts";
import { parsePort } from "./port.ts";

/** An entry's hosts. If the entry has a port, the target's must be the same. */
export type NoProxyEntry = { readonly text: string; readonly hosts: HostSet; readonly port: number | undefined };

type HostSet =
  | { readonly kind: "all" }
  | { readonly kind: "address"; readonly address: Address }
  | { readonly kind: "network"; readonly network: AddressRange }
  | { readonly kind: "domain"; readonly name: string; readonly itself: "matches" | "does-not" };

export type NoProxy = {
  readonly entries: readonly NoProxyEntry[];
  /** Invalid entries as written. They are ignored, and doctor lists them. */
  readonly unusable: readonly string[];
};

export function parseNoProxy(text: string): NoProxy {
  const entries: NoProxyEntry[] = [];
  const unusable: string[] = [];
  for (const part of text.split(",")) {
    const written = part.trim();
    if (written === "") continue;
    const entry = parseEntry(written);
    if (entry === undefined) unusable.push(quote(written));
    else entries.push(entry);
  }
  return { entries, unusable };
}

export function entryMatches(entry: NoProxyEntry, host: Host, port: number): boolean {
  return (entry.port === undefined || entry.port === port) && holds(entry.hosts, host);
}

function holds(hosts: HostSet, host: Host): boolean {
  switch (hosts.kind) {
    case "all":
      return true;
    case "address":
      return host.kind === "address" && sameAddress(hosts.address, host.address);
    case "network":
      return host.kind === "address" && networkHolds(hosts.network, host.address);
    case "domain":
      if (host.kind !== "name") return false;
      return host.text.endsWith(`.${hosts.name}`) || (hosts.itself === "matches" && host.text === hosts.name);
  }
}

function sameAddress(left: Address, right: Address): boolean {
  return left.family === right.family && left.number === right.number;
}

function parseEntry(text: string): NoProxyEntry | undefined {
  const { hostText, portText } = splitPort(text);
  const port = portText === undefined ? undefined : parsePort(portText);
  if (portText !== undefined && port === undefined) return undefined;
  const hosts = parseHosts(hostText);
  return hosts === undefined ? undefined : { text, hosts, port };
}

/** Splits a port off: `[::1]:443`, `[2001:db8::]/32:443` and `name:443` have one. `::1` has none, because these colons belong to the address. */
function splitPort(text: string): { readonly hostText: string; readonly portText: string | undefined } {
  const bracketed = /^\[(?=[^\]]*:)([^[\]]*)\](\/\d+)?(?::(.*))?$/.exec(text);
  if (bracketed !== null) return { hostText: `${bracketed[1]}${bracketed[2] ?? ""}`, portText: bracketed[3] };
  const colon = text.lastIndexOf(":");
  const slash = text.indexOf("/");
  const isPort = slash >= 0 ? colon > slash : colon >= 0 && colon === text.indexOf(":");
  return isPort ? { hostText: text.slice(0, colon), portText: text.slice(colon + 1) } : { hostText: text, portText: undefined };
}

function parseHosts(text: string): HostSet | undefined {
  if (text === "*") return { kind: "all" };
  const address = parseAddress(text);
  if (address !== undefined) return { kind: "address", address };
  const network = parseNetwork(text);
  if (network !== undefined) return { kind: "network", network };
  const bare = text.replace(/^\*?\./, "");
  const name = parseName(bare);
  return name === undefined ? undefined : { kind: "domain", name, itself: bare === text ? "matches" : "does-not" };
}

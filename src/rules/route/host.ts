import { isLoopbackAddress, parseAddress, type Address } from "./address.ts";

/** The host of a URL, a proxy or a NO_PROXY entry. A name is ASCII, in lower case, without the root's dot. */
export type Host =
  | { readonly kind: "address"; readonly address: Address; readonly text: string }
  | { readonly kind: "name"; readonly text: string };

/** Reads a host as people write it. An IPv6 address has no brackets here. */
export function parseHost(text: string): Host | undefined {
  const address = parseAddress(text);
  if (address !== undefined) return { kind: "address", address, text: canonicalAddress(text) };
  const name = parseName(text);
  return name === undefined ? undefined : { kind: "name", text: name };
}

/** Reads a domain name in any script and case, and converts it to its DNS form. */
export function parseName(text: string): string | undefined {
  // URL would cut or decode the text at these characters, and no DNS name contains them.
  if (text.length > longestWritten || /[\s/?#@\\:%*[\]]/.test(text)) return undefined;
  const url = URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`) : undefined;
  const name = url?.hostname.replace(/\.$/, "") ?? "";
  // A spelling that only URL takes for an address is no name either: 127.1, 0x7f000001.
  if (name.length > longestName || parseAddress(name) !== undefined) return undefined;
  return name.split(".").every((label) => labelPattern.test(label)) ? name : undefined;
}

/** The host and port that a request for this http or https URL connects to. */
export function targetOf(url: URL): { readonly host: Host; readonly port: number } | undefined {
  const host = parseHost(url.hostname.replace(/^\[(.*)\]$/, "$1"));
  if (host === undefined) return undefined;
  return { host, port: url.port === "" ? defaultPort(url.protocol) : Number(url.port) };
}

/** Whether the host is this very machine: loopback addresses, and the names that RFC 6761 gives to them. */
export function isLoopback(host: Host): boolean {
  if (host.kind === "address") return isLoopbackAddress(host.address);
  return host.text === "localhost" || host.text.endsWith(".localhost");
}

/** The characters of RFC 1035, and the underscore, which is common all the same. */
const labelPattern = /^[a-z0-9_-]{1,63}$/;
const longestName = 253;
/** An internationalized name may be longer as people write it than in DNS. No name is longer than this. */
const longestWritten = 1024;

/** The shortest spelling, as in URLs: `2001:DB8:0:0::1` is `2001:db8::1`. */
function canonicalAddress(text: string): string {
  return text.includes(":") ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text;
}

function defaultPort(protocol: string): number {
  return protocol === "https:" ? 443 : 80;
}

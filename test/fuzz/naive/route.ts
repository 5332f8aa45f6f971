import { bitsOf, naiveNetwork } from "./address.ts";
import { isLoopbackHost, naiveHost, naiveName, naivePort, type NaiveHost } from "./host.ts";
import { isSpace, trimmed } from "./version.ts";

export type NaiveProxy = {
  readonly scheme: string;
  readonly host: NaiveHost;
  readonly port: number;
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
};

/** `scheme://[user[:password]@]host:port`, a bare `host:port` being http's. */
export function naiveProxy(value: string): NaiveProxy | undefined {
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/)?(?:([^]*)@)?(\[[^[\]@]*\]|[^:@[\]]*):([0-9]+)\/?$/.exec(value);
  if (match === null) return undefined;
  const scheme = (match[1] ?? "http").toLowerCase();
  const hostText = match[3]!;
  const isBracketed = hostText.startsWith("[");
  const host = naiveHost(isBracketed ? hostText.slice(1, -1) : hostText);
  const port = naivePort(match[4]!);
  if ((scheme !== "http" && scheme !== "https") || host === undefined || port === undefined || isLoopbackHost(host))
    return undefined;
  if (isBracketed && !hostText.includes(":")) return undefined;
  if (match[2] === undefined) return { scheme, host, port, credentials: undefined };
  const [user, ...password] = match[2].split(":");
  const credentials = { user: decoded(user!), password: decoded(password.join(":")) };
  const { user: name, password: secret } = credentials;
  if (name === undefined || secret === undefined || name === "" || name.includes(":")) return undefined;
  return { scheme, host, port, credentials: { user: name, password: secret } };
}

/** Percent signs undone; undefined where what comes out is no UTF-8 or holds a control character. */
function decoded(text: string): string | undefined {
  let plain = "";
  for (let at = 0; at < text.length;) {
    const run = /^(?:%[0-9A-Fa-f]{2})+/.exec(text.slice(at, at + 3000))?.[0];
    if (run === undefined) {
      if (text[at] === "%") return undefined;
      plain += text[at]!;
      at += 1;
      continue;
    }
    const bytes = Buffer.from(run.replaceAll("%", ""), "hex");
    const piece = bytes.toString("utf8");
    if (Buffer.compare(Buffer.from(piece, "utf8"), bytes) !== 0) return undefined;
    plain += piece;
    at += run.length;
  }
  for (const sign of plain) if (sign < " " || sign === "\u007f") return undefined;
  return plain;
}

type Entry = { readonly holds: (host: NaiveHost) => boolean; readonly port: number | undefined };

/** The entries that mean something, and how many do not. */
export function naiveNoProxy(text: string): { readonly entries: readonly Entry[]; readonly unusable: number } {
  const written = text
    .split(",")
    .map(trimmed)
    .filter((entry) => entry !== "");
  const entries = written.map(entryOf);
  return {
    entries: entries.filter((entry) => entry !== undefined),
    unusable: entries.filter((entry) => entry === undefined).length,
  };
}

export function isBypassed(entries: readonly Entry[], host: NaiveHost, port: number): boolean {
  return entries.some((entry) => (entry.port === undefined || entry.port === port) && entry.holds(host));
}

/** Every way in which an entry can be cut into a host and a port; one of them must make sense. */
function entryOf(text: string): Entry | undefined {
  const whole = holderOf(text) ?? (text.startsWith("[") ? holderOf(unbracketed(text)) : undefined);
  if (whole !== undefined) return { holds: whole, port: undefined };
  const colon = text.lastIndexOf(":");
  const port = colon < 0 ? undefined : naivePort(text.slice(colon + 1));
  if (port === undefined) return undefined;
  const host = text.slice(0, colon);
  // Without brackets or a netmask behind it, the colons of an IPv6 address cannot be told from that of a port.
  const isClear = !host.includes(":") || host.startsWith("[") || host.includes("/");
  const holds = isClear ? (holderOf(host) ?? (host.startsWith("[") ? holderOf(unbracketed(host)) : undefined)) : undefined;
  return holds === undefined ? undefined : { holds, port };
}

function unbracketed(text: string): string {
  const match = /^\[([^[\]]*)\](\/[0-9]+)?$/.exec(text);
  return match?.[1]?.includes(":") === true ? `${match[1]}${match[2] ?? ""}` : text;
}

function holderOf(text: string): Entry["holds"] | undefined {
  if (text === "*") return () => true;
  const bits = bitsOf(text);
  if (bits !== undefined) return (host) => "bits" in host && host.bits === bits;
  const network = naiveNetwork(text);
  if (network !== undefined)
    return (host) => "bits" in host && host.bits.length === network.width && host.bits.startsWith(network.prefix);
  const dotted = text.startsWith("*.") ? text.slice(2) : text.startsWith(".") ? text.slice(1) : undefined;
  const name = naiveName(dotted ?? text);
  if (name === undefined) return undefined;
  return (host) => "name" in host && (host.name.endsWith(`.${name}`) || (dotted === undefined && host.name === name));
}

export type NaiveRoute = { readonly kind: "direct" } | { readonly kind: "proxy"; readonly proxy: NaiveProxy };

type Variables = Readonly<Record<string, string | undefined>>;

/** Undefined: a fault. */
export function naiveRoute(text: string, variables: Variables): NaiveRoute | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  const host = naiveHost(url.hostname.replaceAll(/[[\]]/g, ""));
  if (host === undefined) return undefined;
  const port = url.port !== "" ? Number(url.port) : url.protocol === "https:" ? 443 : 80;
  const value = variable(variables, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  const { entries } = naiveNoProxy(variable(variables, "NO_PROXY"));
  if (isLoopbackHost(host) || value === "" || isBypassed(entries, host, port)) return { kind: "direct" };
  const proxy = naiveProxy(value);
  return proxy === undefined ? undefined : { kind: "proxy", proxy };
}

function variable(variables: Variables, name: string): string {
  const upper = variables[name] ?? "";
  const isBlank = Array.from(upper).every(isSpace);
  return trimmed(isBlank ? (variables[name.toLowerCase()] ?? "") : upper);
}

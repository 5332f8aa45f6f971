import { Fault } from "../fault/fault.ts";
import { isLoopback, parseHost, type Host } from "./host.ts";
import { parsePort } from "./port.ts";

/** The file with the proxy variables, unless a setting names another one. */
export const usualEnvironmentFile = "/etc/default/svc";

export type Proxy = {
  readonly scheme: "http" | "https";
  /** In lower case and ASCII. An IPv6 address has no brackets here. */
  readonly host: string;
  readonly port: number;
  /** Decoded, and never printed. */
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
};

/**
 * Parses a proxy variable: `scheme://[user[:password]@]host:port`. The port is required, because programs that share the variable disagree on its default
 * (80, 443, 1080). No fault quotes the value, which may hold a password.
 */
export function parseProxy(variable: string, value: string, setIn?: string): Proxy {
  const setting = { variable, setIn: setIn ?? usualEnvironmentFile };
  const schemePart = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.exec(value)?.[0] ?? "";
  const scheme = schemePart === "" ? "http" : schemePart.slice(0, -3).toLowerCase();
  if (scheme !== "http" && scheme !== "https") throw unusable(setting, `its scheme is ${scheme}, not http or https`);
  const rest = value.slice(schemePart.length);
  // The last @ ends the credentials, because a password may contain an @ and a host may not.
  const at = rest.lastIndexOf("@");
  const { host, port } = parseAuthority(setting, rest.slice(at + 1));
  if (isLoopback(host)) throw loopback(setting, host);
  return { scheme, host: host.text, port, credentials: at < 0 ? undefined : parseCredentials(setting, rest.slice(0, at)) };
}

/** A variable, and the file that sets it. */
type Setting = { readonly variable: string; readonly setIn: string };

/** Prints a proxy without its credentials, for people and logs. */
export function printProxy(proxy: Proxy): string {
  const host = proxy.host.includes(":") ? `[${proxy.host}]` : proxy.host;
  return `${proxy.scheme}://${host}:${proxy.port}`;
}

function parseAuthority(setting: Setting, text: string): { readonly host: Host; readonly port: number } {
  const authority = text.replace(/\/$/, "");
  const portPart = /:[^:\]]*$/.exec(authority)?.[0] ?? "";
  const hostText = authority.slice(0, authority.length - portPart.length);
  const isBracketed = hostText.startsWith("[") && hostText.endsWith("]");
  const host = parseHost(isBracketed ? hostText.slice(1, -1) : hostText);
  if (host === undefined || isBracketed !== host.text.includes(":")) {
    throw unusable(setting, "its host is neither a DNS name nor an IP address (IPv6 in brackets)");
  }
  if (portPart === "") throw unusable(setting, "it has no port");
  const port = parsePort(portPart.slice(1));
  if (port === undefined) throw unusable(setting, "its port is not a number from 1 to 65535");
  return { host, port };
}

function parseCredentials(setting: Setting, userinfo: string): Proxy["credentials"] {
  const colon = userinfo.indexOf(":");
  const user = decode(setting, colon < 0 ? userinfo : userinfo.slice(0, colon));
  const password = decode(setting, colon < 0 ? "" : userinfo.slice(colon + 1));
  if (user === "") throw unusable(setting, "it has an @ but no user before it");
  // RFC 7617 ends the user name at the first colon, so a user with a colon cannot be sent.
  if (user.includes(":")) throw unusable(setting, "its user holds a colon, which no proxy can be told");
  return { user, password };
}

function decode(setting: Setting, text: string): string {
  const decoded = decodePercents(text);
  if (decoded === undefined)
    throw unusable(setting, "its user or password has a % that is not followed by two hex digits of UTF-8");
  // oxlint-disable-next-line no-control-regex -- RFC 7617 bars control characters from user and password
  if (/[\u0000-\u001f\u007f]/.test(decoded)) throw unusable(setting, "its user or password holds a control character");
  return decoded;
}

function decodePercents(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // Decoding fails for one reason only. The caller reports it without the cause, which would quote the text.
    return undefined;
  }
}

function whereSet(file: string): string {
  return `for the units it is set in ${file}: \`sudoedit ${file}\``;
}

function unusable({ variable, setIn }: Setting, why: string): Fault {
  return new Fault("proxy-invalid", {
    message: `${variable} is not a usable proxy: ${why}`,
    hint: `set ${variable} to scheme://host:port with http or https, for example http://proxy.example:3128; user and password, where it asks for them, stand before the host and end in an @; ${whereSet(setIn)}`,
  });
}

function loopback({ variable, setIn }: Setting, host: Host): Fault {
  return new Fault("proxy-invalid", {
    message: `${variable} is not a usable proxy: its host is ${host.text}, which every program takes for itself`,
    hint: `name the proxy in ${variable} by a DNS name or a private IP: localhost and 127.0.0.1 are not allowed there; ${whereSet(setIn)}`,
  });
}

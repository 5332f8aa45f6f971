import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { parseAddress, printHostPort, withPort, type HostPort } from "../../rules/route/host-port.ts";

/** The public port of a proxy, if none is named. */
export const usualPort = 443;

/** Parses `proxy.example.com`, `proxy.example.com:3080`, or a URL from a browser. */
export function parseProxyAddress(text: string): HostPort | undefined {
  const bare = text.replace(/^https:\/\//i, "").replace(/\/$/, "");
  const address = parseAddress(bare);
  return address === undefined ? undefined : withPort(address, usualPort);
}

export function askedProxy(text: string): HostPort {
  const address = parseProxyAddress(text);
  if (address !== undefined) return address;
  throw new Fault("usage", {
    // Does not show a text with an @, which may contain a password.
    message: text.includes("@") ? "--proxy is no address of a proxy" : `--proxy "${quote(text)}" is no address of a proxy`,
    hint: "HOST or HOST:PORT, for example --proxy=proxy.example.com; plain http is not spoken",
  });
}

/** Prints an address as people write it, without the usual port. */
export function printProxyAddress(address: HostPort): string {
  return address.port === usualPort ? printHostPort(address).replace(/:443$/, "") : printHostPort(address);
}

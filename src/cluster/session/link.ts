import type { HostPort } from "../../rules/route/host-port.ts";
import { parseProxyAddress, printProxyAddress } from "./proxy-address.ts";

/** What an invitation contains. It works once. */
export type Link = { readonly proxy: HostPort; readonly token: string };

const path = "/web/invite/";

export function printLink({ proxy, token }: Link): string {
  return `https://${printProxyAddress(proxy)}${path}${token}`;
}

/** Undefined if the text is no link. */
export function parseLink(text: string): Link | undefined {
  const [, address = "", token = ""] = /^https:\/\/([^/?#@\s]+)\/web\/invite\/([0-9a-f]{64})\/?$/.exec(text.trim()) ?? [];
  const proxy = parseProxyAddress(address);
  return proxy === undefined || token === "" ? undefined : { proxy, token };
}

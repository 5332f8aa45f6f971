import type { ProxyVariables } from "../../rules/route/route.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { maybe, record, text, type Shape } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";

/** A variable may be as long as the whole file that holds it. */
const variable = maybe(text(64 * 1024));

/** The proxy variables as found, and their file. Their users check them. */
export const proxyVariables: Shape<ProxyVariables> = record({
  HTTPS_PROXY: variable,
  HTTP_PROXY: variable,
  NO_PROXY: variable,
  https_proxy: variable,
  http_proxy: variable,
  no_proxy: variable,
  setIn: maybe(text(1024)),
});

export function encodeProxies(proxies: ProxyVariables): string {
  return `${JSON.stringify(encode(proxyVariables, proxies))}\n`;
}

export function decodeProxies(found: string): Reading<ProxyVariables> {
  return decode(found, proxyVariables, "ignored");
}

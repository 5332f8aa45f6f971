import type { ProxyVariables } from "../route/route.ts";
import { object, orUndefined, readJson, text, type Reader, type Reading } from "./read.ts";

/** As long as the whole file that they are read from may be. */
const longestVariable: number = 64 * 1024;
const variable = orUndefined(text(longestVariable));

/** The proxy variables as they were found; whether they are usable says whoever uses them. */
export const proxyVariables: Reader<ProxyVariables> = object<ProxyVariables>(
  {
    HTTPS_PROXY: variable,
    HTTP_PROXY: variable,
    NO_PROXY: variable,
    https_proxy: variable,
    http_proxy: variable,
    no_proxy: variable,
  },
  { unknown: "ignored" },
);

export function encodeProxies(proxies: ProxyVariables): string {
  return `${JSON.stringify(proxies)}\n`;
}

export function decodeProxies(found: string): Reading<ProxyVariables> {
  return readJson(found, proxyVariables);
}

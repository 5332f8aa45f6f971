import type { Proxy } from "../../rules/route/proxy.ts";

/** The header that carries the proxy's credentials. */
export function proxyAuthorization({ credentials }: Proxy): string | undefined {
  if (credentials === undefined) return undefined;
  return `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`, "utf8").toString("base64")}`;
}

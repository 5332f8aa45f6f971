import type { Proxy } from "../../rules/route/proxy.ts";

/** What a proxy is told of who asks. */
export function proxyAuthorization({ credentials }: Proxy): string | undefined {
  if (credentials === undefined) return undefined;
  return `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`, "utf8").toString("base64")}`;
}

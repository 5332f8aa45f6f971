import { printProxy } from "../../../rules/route/proxy.ts";
import type { Proxy } from "../../../rules/route/proxy.ts";

/** The URL with its password, so it may be written only into a file that only root can read. */
export function proxyUrl(proxy: Proxy): string {
  const { credentials, scheme } = proxy;
  if (credentials === undefined) return printProxy(proxy);
  const userinfo = `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}`;
  return printProxy(proxy).replace(`${scheme}://`, `${scheme}://${userinfo}@`);
}

import type { ProxyVariables } from "../../../rules/route/route.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import { readRepositoryFiles } from "./repositories.ts";
import { zypperRoutes, type ZypperRoutes } from "./routes.ts";

/** The routes to a root's repositories. The proxy settings are the machine's. */
export function hostRoutes(root: string, proxies: ProxyVariables): ZypperRoutes {
  const sysconfig = readConfiguration("/etc/sysconfig/proxy") ?? "";
  return zypperRoutes({ files: readRepositoryFiles(root), sysconfig }, proxies);
}

import { readText } from "../../host/read-file.ts";
import type { ProxyVariables } from "../../route/route.ts";
import { readRepositoryFiles } from "./repositories.ts";
import { zypperRoutes, type ZypperRoutes } from "./routes.ts";

const capBytes: number = 64 * 1024;

/** The routes to the repositories of a root; what else may name a proxy is the machine's. */
export function hostRoutes(root: string, proxies: ProxyVariables): ZypperRoutes {
  const sysconfig = readText("/etc/sysconfig/proxy", { capBytes, links: "follow" }) ?? "";
  return zypperRoutes({ files: readRepositoryFiles(root), sysconfig }, proxies);
}

import { rpmEnvironment } from "../rpm/environment.ts";
import type { ProxyVariables } from "../../../rules/route/route.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import { readRepositoryFiles } from "./repositories.ts";
import { zypperRoutes, type ZypperRoutes } from "./routes.ts";

/** How long zypper waits for another zypper. If that runs longer, the next pass tries again. */
const lockSeconds = 60;

/** A proxy address where nothing listens. */
const nowhere = "http://127.0.0.1:1";

/**
 * Variables for a question, for which zypper would otherwise take its lock. With these it needs no lock and cannot change anything. It fetches
 * missing lists despite `--no-refresh`, so they also keep it from the network and DNS.
 */
export const askEnvironment: Readonly<Record<string, string>> = {
  ...rpmEnvironment,
  ZYPP_READONLY_HACK: "1",
  http_proxy: nowhere,
  https_proxy: nowhere,
  no_proxy: "",
  NO_PROXY: "",
};

export const actEnvironment: Readonly<Record<string, string>> = { ...rpmEnvironment, ZYPP_LOCK_TIMEOUT: String(lockSeconds) };

/** The routes to a root's repositories. The proxy settings are the machine's. */
export function hostRoutes(root: string, proxies: ProxyVariables): ZypperRoutes {
  const sysconfig = readConfiguration("/etc/sysconfig/proxy") ?? "";
  return zypperRoutes({ files: readRepositoryFiles(root), sysconfig }, proxies);
}

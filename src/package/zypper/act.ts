import type { ProxyVariables } from "../../route/route.ts";
import { ended } from "../result.ts";
import { withScripts } from "../rpm/scripts.ts";
import type { Transact } from "../transact.ts";
import { withCall } from "./call.ts";
import type { ZypperCalls } from "./calls.ts";
import { actEnvironment } from "./environment.ts";
import { hostRoutes } from "./host-routes.ts";
import { watchScripts } from "./script-log.ts";

export type ActEffects = { readonly transact: Transact; readonly root: string; readonly proxies: ProxyVariables };

/** Whatever changes the host reaches out of it, and so needs routes. */
export function actThroughZypper({ transact, root, proxies }: ActEffects): ZypperCalls["act"] {
  return (args, { what, unheld }) => {
    const routes = hostRoutes(root, proxies);
    const scripts = watchScripts(root);
    return withCall({ root, unheld, repositories: routes.repositories }, args, async ({ argv, env }) => {
      const result = await transact({ argv, env: { ...actEnvironment, ...routes.env, ...env }, what });
      return withScripts(ended(result, argv[0]), scripts());
    });
  };
}

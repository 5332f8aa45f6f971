import type { ProxyVariables } from "../../route/route.ts";
import { ended } from "../result.ts";
import type { Transact } from "../transact.ts";
import { withCall } from "./call.ts";
import type { ZypperCalls } from "./calls.ts";
import { actEnvironment } from "./environment.ts";
import { hostRoutes } from "./host-routes.ts";

export type ActEffects = { readonly transact: Transact; readonly root: string; readonly proxies: ProxyVariables };

/** Whatever changes the host reaches out of it, and so needs routes. */
export function actThroughZypper({ transact, root, proxies }: ActEffects): ZypperCalls["act"] {
  return (args, { what, unheld }) => {
    const routes = hostRoutes(root, proxies);
    return withCall({ root, unheld, repositories: routes.repositories }, args, async ({ argv, env }) =>
      ended(await transact({ argv, env: { ...actEnvironment, ...routes.env, ...env }, what }), argv[0]),
    );
  };
}

import type { ProxyVariables } from "../../../rules/route/route.ts";
import { once } from "../call/once.ts";
import { ended, type Ended } from "../call/result.ts";
import { rpmEnvironment } from "../rpm/environment.ts";
import type { RpmDatabase } from "../rpm/installed.ts";
import { heldToLargestFile, sayingCutOff } from "../rpm/largest-file.ts";
import { removeCaches } from "../rpm/remove-caches.ts";
import { curlRoutes } from "../rpm/routes.ts";
import { withScripts } from "../rpm/scripts.ts";
import type { Transact } from "../call/transact.ts";
import { actArgs, belowRoot, withoutProxy, repositoriesArgs } from "./argv.ts";
import type { YumArguments, YumCalls } from "./calls.ts";
import { askKeys, withKeysFile } from "./keys.ts";
import { listsBelow } from "./lists.ts";
import { watchScripts } from "./script-log.ts";
import { answerTo } from "./failure.ts";
import { parseRepositories } from "./repositories.ts";

export type YumActEffects = RpmDatabase & { readonly transact: Transact; readonly proxies: ProxyVariables };

/** The calls that change the host or use the network. Only these need routes and keys. */
export function actYum(
  asking: Pick<YumCalls, "ask" | "program">,
  { run, root, transact, proxies }: YumActEffects,
): Pick<YumCalls, "act" | "download" | "removeCaches" | "repositories"> {
  const { program } = asking;
  const repositories = once(async () => parseRepositories((await answerTo(asking, repositoriesArgs(), "repoinfo")).output));

  async function call(typed: readonly [string, ...string[]], args: YumArguments, what: string): Promise<Ended> {
    const { all } = await repositories();
    const { rules, env } = curlRoutes(
      all.flatMap(({ urls }) => urls),
      proxies,
    );
    const proxied = all.filter(({ urls }) => urls.some(rules));
    const keys = await askKeys({ run, root });
    const scripts = watchScripts(root);
    const result = await withKeysFile(root, keys, (keyFile) => {
      const ours = actArgs({ keyFile, root }, [...withoutProxy(proxied.map(({ id }) => id)), ...args]);
      return transact({ argv: [...typed, ...belowRoot(root), ...ours], env: { ...rpmEnvironment, ...env }, what });
    });
    return withScripts(ended(result, program), scripts());
  }

  return {
    removeCaches: removeCaches(transact),
    act: (args, what) => call([program], args, what),
    download: async (args, what, into) => {
      const result = await call(heldToLargestFile([program]), args, what);
      return sayingCutOff(result, [listsBelow(root), ...(into === undefined ? [] : [into])]);
    },
    repositories,
  };
}

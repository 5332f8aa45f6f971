import { ended, type Ended } from "../call/result.ts";
import { heldToLargestFile, sayingCutOff } from "../rpm/largest-file.ts";
import { removeCaches } from "../rpm/remove-caches.ts";
import { withScripts, watchLog } from "../rpm/scripts.ts";
import type { ManagerEffects } from "../manager/effects.ts";
import { withCall } from "./call.ts";
import type { ZypperArguments, ToldCall, ZypperCalls } from "./calls.ts";
import { cacheBelow } from "./repositories.ts";
import { actEnvironment, hostRoutes } from "./environment.ts";
import { join } from "node:path";

type Argv = readonly [string, ...string[]];

/** The calls that change the host. They use the network, so they need routes. */
export function actThroughZypper({
  transact,
  root,
  proxies,
}: Pick<ManagerEffects, "transact" | "root" | "proxies">): Pick<ZypperCalls, "act" | "download" | "removeCaches"> {
  function call(bounded: (argv: Argv) => Argv, args: ZypperArguments, { what, unheld }: ToldCall): Promise<Ended> {
    const routes = hostRoutes(root, proxies);
    const scripts = watchScripts(root);
    return withCall({ root, unheld, repositories: routes.repositories, network: "used" }, args, async ({ argv, env }) => {
      const [program] = argv;
      // Keeps XML out of the journal.
      const output = args.includes("--xmlout") ? "apart" : "journal";
      const result = await transact({ argv: bounded(argv), env: { ...actEnvironment, ...routes.env, ...env }, what, output });
      return withScripts(ended(result, program), scripts());
    });
  }

  return {
    removeCaches: removeCaches(transact),
    act: (args, told) => call((argv) => argv, args, told),
    download: async (args, what, into) => {
      const result = await call(heldToLargestFile, args, { what, unheld: undefined });
      return sayingCutOff(result, [cacheBelow(root), ...(into === undefined ? [] : [into])]);
    },
  };
}

/** Returns what package scripts print from now on. zypper writes it as remarks between the lines of its history. */
function watchScripts(root: string): () => readonly string[] {
  const added = watchLog(join(root, "var/log/zypp/history"));
  return () => scriptWords(added());
}

export function scriptWords(history: string): readonly string[] {
  const [, ...blocks] = history.split(/^# (?:Additional )?rpm output:$/m);
  return blocks.flatMap((block) => {
    const lines = block.split("\n").slice(1);
    // An empty remark ends the output of a script.
    const end = lines.findIndex((line) => line.trim() === "#" || !line.startsWith("#"));
    return lines.slice(0, end === -1 ? lines.length : end).map((line) => line.slice(2));
  });
}

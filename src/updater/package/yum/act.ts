import type { ProxyVariables } from "../../../rules/route/route.ts";
import { once } from "../call/once.ts";
import { ended, type Ended } from "../call/result.ts";
import { rpmEnvironment } from "../rpm/environment.ts";
import { type RpmDatabase, queryRpm } from "../rpm/installed.ts";
import { heldToLargestFile, sayingCutOff } from "../rpm/largest-file.ts";
import { removeCaches } from "../rpm/remove-caches.ts";
import { curlRoutes } from "../rpm/routes.ts";
import { withScripts, watchLog } from "../rpm/scripts.ts";
import type { Transact } from "../call/transact.ts";
import { actArgs, belowRoot, withoutProxy, repositoriesArgs } from "./argv.ts";
import type { YumArguments, YumCalls } from "./calls.ts";
import { listsBelow } from "./lists.ts";
import { answerTo } from "./failure.ts";
import { parseRepositories } from "./repositories.ts";
import { join } from "node:path";
import { withCallFile } from "../call/call-file.ts";

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

const stamp = /^\d{4}-\d\d-\d\dT\S+ (\w+) /;
const begun = "--- logging initialized ---";

/** Returns what package scripts print from now on. dnf writes their output into its log, among its own lines. */
function watchScripts(root: string): () => readonly string[] {
  const added = watchLog(join(root, "var/log/dnf.rpm.log"));
  return () => scriptWords(added());
}

export function scriptWords(log: string): readonly string[] {
  let isWord = false;
  return log.split("\n").flatMap((line) => {
    const level = stamp.exec(line)?.[1];
    // Only the first line of an entry has a time stamp.
    if (level !== undefined) isWord = level === "INFO" && !line.endsWith(begun);
    const text = line.replace(stamp, "").trimEnd();
    return isWord && text !== "" ? [text] : [];
  });
}

/** Asks for the keys that rpm trusts, in their exported form. */
export async function askKeys(database: RpmDatabase): Promise<string> {
  const { status, stdout } = await queryRpm(database, ["-q", "gpg-pubkey", "--qf", "%{DESCRIPTION}\\n"]);
  // On a host without keys, rpm says that the package of that name is not installed.
  return status === 0 ? stdout : "";
}

/**
 * Keeps a file with the keys that rpm already trusts. With -y, dnf imports any key that a repository names, so in our calls every repository names
 * this file. A package signed by another key is refused, and signed lists can still be verified. dnf splits a name at a blank or a comma.
 */
export function withKeysFile<T>(root: string, keys: string, work: (path: string) => Promise<T>): Promise<T> {
  return withCallFile(root, { onMachine: "/run/svc-upgrade/yum-keys.asc", mode: 0o644, text: keys }, work);
}

import type { RunCommand } from "../../../machine/processes/command.ts";
import type { ProxyVariables } from "../../../rules/route/route.ts";
import { ended } from "../call/result.ts";
import { withCall } from "./call.ts";
import type { ZypperCalls } from "./calls.ts";
import { askEnvironment, hostRoutes } from "./environment.ts";

export type AskEffects = { readonly run: RunCommand; readonly root: string; readonly proxies: ProxyVariables };

/** zypper may have to read the lists of a whole distribution on a slow disk. */
const askTimeoutMs = 120_000;

/** Questions use the same addresses as downloads, because zypper ignores a cache made for other addresses. */
export function askZypper({ run, root, proxies }: AskEffects): ZypperCalls["ask"] {
  return (args, unheld) => {
    const shown = isRoot() ? { unheld, repositories: hostRoutes(root, proxies).repositories } : asOthersAreShown;
    return withCall({ root, ...shown, network: "unused" }, args, async ({ argv, env }) =>
      ended(await run({ argv, env: { ...askEnvironment, ...env }, timeoutMs: askTimeoutMs }), argv[0]),
    );
  };
}

/** Other users see the unchanged addresses, for which their own caches were built. zypper plans only for root. */
const asOthersAreShown = { unheld: undefined, repositories: [] };

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

import type { RunCommand } from "../host/command.ts";
import { inspectArgv } from "./apt/argv.ts";
import { askPolicy } from "./apt/ask-policy.ts";
import type { AptCalls } from "./apt/calls.ts";
import { aptEnvironment } from "./apt/environment.ts";
import { install } from "./apt/install.ts";
import { installedFrom } from "./apt/installed.ts";
import { offersOf } from "./apt/policy.ts";
import { refresh } from "./apt/refresh.ts";
import { writeRootConfig } from "./apt/root-config.ts";
import { simulate } from "./apt/simulate.ts";
import type { PackageManager } from "./manager.ts";
import { ended } from "./result.ts";
import type { Transact } from "./transact.ts";

/** What apt works with: how it is run, and where. */
export type AptEffects = {
  readonly run: RunCommand;
  readonly transact: Transact;
  /** "/" for the machine itself; else an absolute path without a slash at its end. */
  readonly root: string;
  /** The lower-case proxy variables of the way to the repositories. */
  readonly proxies: Readonly<Record<string, string>>;
};

/** A question to the database: dpkg-query takes 10 ms. */
const inspectTimeoutMs = 20_000;
/** A question to apt, which may have to rebuild its cache on a slow disk. */
const askTimeoutMs = 120_000;

export function aptManager(effects: AptEffects): PackageManager {
  const { run, transact, root } = effects;
  const environment = environmentOnce(effects);
  const calls: AptCalls = {
    ask: async (argv) => ended(await run({ argv, env: environment(), timeoutMs: askTimeoutMs }), argv[0]),
    act: async (argv, what) => ended(await transact({ argv, env: environment(), what }), argv[0]),
  };
  return {
    name: "apt",
    inspect: async (name) => {
      const argv = inspectArgv(name, `${root === "/" ? "" : root}/var/lib/dpkg`);
      // On the quiet path, and for everybody: it must not need a file that has to be written first.
      const env = aptEnvironment({}, undefined);
      return installedFrom(ended(await run({ argv, env, timeoutMs: inspectTimeoutMs }), argv[0]), name);
    },
    refresh: (name) => refresh(calls, name),
    offers: async (name) => offersOf(await askPolicy(calls, name)),
    simulate: (change) => simulate(calls, change),
    install: (change) => install(calls, change),
  };
}

/** Below another root the environment names a file that must be there; once is enough. */
function environmentOnce({ root, proxies }: AptEffects): () => Readonly<Record<string, string>> {
  let environment: Readonly<Record<string, string>> | undefined;
  return () => (environment ??= aptEnvironment(proxies, root === "/" ? undefined : writeRootConfig(root)));
}

import type { RunCommand } from "../host/command.ts";
import type { ProxyVariables } from "../route/route.ts";
import { configOption, fetchedUrlsArgv, inspectAllArgv, inspectArgv, withOptions, type Argv } from "./apt/argv.ts";
import { askApt } from "./apt/ask.ts";
import { askPolicy } from "./apt/ask-policy.ts";
import { askBuild } from "./apt/build.ts";
import { bring } from "./apt/bring.ts";
import type { AptCalls } from "./apt/calls.ts";
import { aptEnvironment } from "./apt/environment.ts";
import { aptFault } from "./apt/failure.ts";
import { fetchFile } from "./apt/fetch.ts";
import { installFiles } from "./apt/install-files.ts";
import { install } from "./apt/install.ts";
import { installedAmong, installedFrom } from "./apt/installed.ts";
import { putHoldBack } from "./apt/hold.ts";
import { mend } from "./apt/mend.ts";
import { objectionToBack } from "./apt/objection.ts";
import { offersOf } from "./apt/policy.ts";
import { refresh } from "./apt/refresh.ts";
import { databaseBelow, keepBelow } from "./apt/below-root.ts";
import { aptRoutes, type AptRoutes } from "./apt/routes.ts";
import { simulate } from "./apt/simulate.ts";
import type { PackageManager } from "./manager.ts";
import { once } from "./once.ts";
import { ended, type Ended } from "./result.ts";
import type { Transact } from "./transact.ts";
import { usualPatience } from "./patience.ts";
import { withCallFile } from "./call-file.ts";

/** What apt works with: how it is run, and where. */
export type AptEffects = {
  readonly run: RunCommand;
  readonly transact: Transact;
  /** "/" for the machine itself; else an absolute path without a slash at its end. */
  readonly root: string;
  /** By them the repositories are reached, as everything else is. */
  readonly proxies: ProxyVariables;
};

/** A question to the database: dpkg-query takes 10 ms. */
const inspectTimeoutMs = 20_000;

export function aptManager(effects: AptEffects): PackageManager {
  const { run, root } = effects;
  const calls = aptCalls(effects);
  return {
    name: "apt",
    inspect: async (name) => {
      const argv = inspectArgv(name, databaseBelow(root));
      const env = aptEnvironment("");
      return installedFrom(ended(await run({ argv, env, timeoutMs: inspectTimeoutMs }), argv[0]), name);
    },
    inspectAll: async (names) => {
      if (names.length === 0) return [];
      const argv = inspectAllArgv(names, databaseBelow(root));
      return installedAmong(ended(await run({ argv, env: aptEnvironment(""), timeoutMs: inspectTimeoutMs }), argv[0]), names);
    },
    refresh: (name) => refresh(calls, name),
    offers: async (name) => offersOf(await askPolicy(calls, name)),
    buildOf: (name, version) => askBuild(calls, { name, version }),
    simulate: (change) => simulate(calls, change),
    bring: (change, planned) => bring(calls, change, planned),
    fetch: (wanted, directory) => fetchFile(calls, wanted, directory),
    install: (change, planned) => install(calls, change, planned),
    installFiles: (change, files) => installFiles(calls, change, files),
    objectionToBack: (sets) => objectionToBack(calls, sets),
    holdAgain: (name) => putHoldBack(calls, name, undefined),
    mend: () => mend(calls),
  };
}

/** Only what may reach out of the host needs routes. */
function aptCalls({ run, transact, root, proxies }: AptEffects): AptCalls {
  const ask = askApt(run, root);
  const routes = once(async () => askRoutes(ask, proxies));

  async function act(argv: Argv, what: string): Promise<Ended> {
    const { config, noProxy } = (await routes()) ?? { config: undefined, noProxy: "" };
    if (config === undefined) return change(argv, what, noProxy);
    return withRoutesFile(root, config, (path) => change(withOptions(argv, configOption(path)) ?? argv, what, noProxy));
  }

  function actOffline(argv: Argv, what: string): Promise<Ended> {
    return change(argv, what, "");
  }

  function change(argv: Argv, what: string, noProxy: string): Promise<Ended> {
    return keepBelow(root, argv, async (call) => {
      const env = { ...aptEnvironment(noProxy), ...call.env };
      return ended(await transact({ argv: call.argv, env, what }), argv[0]);
    });
  }

  return { ask, act, actOffline, root, patience: usualPatience };
}

async function askRoutes(ask: AptCalls["ask"], proxies: ProxyVariables): Promise<AptRoutes | undefined> {
  // Without any variable apt is not even asked.
  if (aptRoutes("", proxies) === undefined) return undefined;
  const { status, stdout, output } = await ask(fetchedUrlsArgv());
  if (status !== 0) throw aptFault(output, "update --print-uris");
  return aptRoutes(stdout, proxies);
}

/** Has the configuration lie in its file for as long as the work takes: passwords may be in it, so only root may read it. */
export function withRoutesFile<T>(root: string, config: string, work: (path: string) => Promise<T>): Promise<T> {
  return withCallFile(root, { onMachine: "/run/svc-upgrade/apt-routes.conf", mode: 0o600, text: config }, work);
}

import type { ProxyVariables } from "../../../rules/route/route.ts";
import type { ManagerEffects } from "../manager/effects.ts";
import { withCallFile } from "../call/call-file.ts";
import type { WorkingHalf } from "../manager/load-when-working.ts";
import { once } from "../call/once.ts";
import { usualPatience } from "../call/patience.ts";
import { ended, type Ended } from "../call/result.ts";
import { configOption, fetchedUrlsArgv, indexesArgv, withOptions, type Argv, auditArgv, controlArgv } from "./argv.ts";
import { askApt } from "./ask.ts";
import { askPolicy } from "./ask-policy.ts";
import { keepBelow } from "./below-root.ts";
import { bring } from "./bring.ts";
import type { AptCalls } from "./calls.ts";
import { aptEnvironment } from "./environment.ts";
import { aptFault } from "./failure.ts";
import { fetchFile } from "./fetch.ts";
import { putHoldBack } from "./hold.ts";
import { install } from "./install.ts";
import { installFiles } from "./install-files.ts";
import { objectionToBack } from "./objection.ts";
import { offersOf } from "./policy.ts";
import { refresh } from "./refresh.ts";
import { aptRoutes, type AptRoutes } from "./routes.ts";
import { simulate } from "./simulate.ts";
import { databaseBelow } from "./database.ts";
import { attemptDpkg } from "./attempt-dpkg.ts";
import { auditFrom, isInterrupted } from "./examine/audit.ts";
import { configureArgv } from "./offline-argv.ts";
import type { Build } from "../../../rules/decide/gate-facts.ts";
import type { WantedFile } from "../manager/manager.ts";
import type { Source } from "../configuration/sources.ts";

export function aptWork(effects: ManagerEffects): WorkingHalf {
  const calls = aptCalls(effects);
  return {
    refresh: (name) => refresh(calls, name),
    offers: async (name) => offersOf(await askPolicy(calls, name)),
    sources: async () => sourcesIn((await calls.ask(indexesArgv())).stdout),
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

/** The calls of apt. Only those that may use the network need routes. */
function aptCalls({ run, transact, root, proxies }: ManagerEffects): AptCalls {
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
  // Does not even ask apt if no proxy variable is set.
  if (aptRoutes("", proxies) === undefined) return undefined;
  const { status, stdout, output } = await ask(fetchedUrlsArgv());
  if (status !== 0) throw aptFault(output, "update --print-uris");
  return aptRoutes(stdout, proxies);
}

/** Keeps the configuration in a file during the work. Only root may read the file, because it may hold passwords. */
export function withRoutesFile<T>(root: string, config: string, work: (path: string) => Promise<T>): Promise<T> {
  return withCallFile(root, { onMachine: "/run/svc-upgrade/apt-routes.conf", mode: 0o600, text: config }, work);
}

/**
 * Has dpkg apply its journal, without which apt does nothing, and configure unpacked packages. Ignores a failing script, because the package is
 * inspected afterwards. A half-unpacked package stays so until a file is installed over it.
 */
export async function mend(calls: AptCalls): Promise<void> {
  const database = databaseBelow(calls.root);
  if (!isInterrupted(database) && auditFrom(await calls.ask(auditArgv(database))).length === 0) return;
  const { failure } = await attemptDpkg(calls, configureArgv(calls.root), "--configure -a");
  if (failure !== undefined && failure.code !== "install-failed") throw failure;
}

/** Finds the build in the signed list. */
export async function askBuild({ ask }: Pick<AptCalls, "ask">, wanted: Omit<WantedFile, "is">): Promise<Build> {
  const { status, stdout, output } = await ask(controlArgv([wanted]));
  if (status !== 0) throw aptFault(output, `show ${wanted.name}=${wanted.version}`);
  return buildFrom(stdout);
}

/** Reads `apt-cache show` for that version. A version that is only installed has no file, and so no build. */
export function buildFrom(control: string): Build {
  const [paragraph = ""] = control.split(/\n\s*\n/).filter((text) => /^Filename: /m.test(text));
  const sha256 = /^SHA256: ([0-9a-f]{64})$/m.exec(paragraph)?.[1];
  const bytes = /^Size: (\d{1,15})$/m.exec(paragraph)?.[1];
  return { sha256, bytes: bytes === undefined ? undefined : Number(bytes) };
}

/** Reads the rows of `apt-get indextargets`: `FILE:ENTRY`, a tab, and `URL SUITE/COMPONENT ARCHITECTURE Packages`. */
export function sourcesIn(indexes: string): readonly Source[] {
  return indexes.split("\n").flatMap((row) => {
    const [entry = "", description = ""] = row.split("\t");
    return entry === "" ? [] : [{ file: entry.replace(/:\d+$/, ""), url: description.split(" ")[0] }];
  });
}

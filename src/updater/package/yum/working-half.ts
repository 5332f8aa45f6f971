import type { WorkingHalf } from "../manager/load-when-working.ts";
import { usualPatience } from "../call/patience.ts";
import { rpmCalls, type RpmCalls } from "../rpm/calls.ts";
import { fetchFile, type Download } from "../rpm/fetch.ts";
import { rpmLockHolder } from "../rpm/lock.ts";
import { mend } from "../rpm/mend.ts";
import { objectionToBack } from "../rpm/objection-to-back.ts";
import type { ManagerEffects } from "../manager/effects.ts";
import { actYum } from "./act.ts";
import { askOffers, askYum } from "./ask.ts";
import { bring } from "./bring.ts";
import type { YumCalls } from "./calls.ts";
import { holdAt } from "./hold.ts";
import { install, type InstallEffects } from "./install.ts";
import { listsBelow } from "./lists.ts";
import { isAdmitted, readLocks, isKeptFrom } from "./locks.ts";
import { orderOffers } from "./offers.ts";
import { refresh } from "./refresh.ts";
import { readPriorities, readSources } from "./repository-files.ts";
import { simulate } from "./simulate.ts";
import { asFault } from "../../../rules/fault/explain.ts";
import type { Change, FileSet } from "../manager/manager.ts";
import { installFiles } from "../rpm/install-files.ts";
import { refusePastLocks } from "../rpm/refuse-past-locks.ts";
import type { Build } from "../../../rules/decide/gate-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import { fileSizeArgs, downloadArgs, exactly } from "./argv.ts";
import { answerTo, yumFault } from "./failure.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { packageVersionOf } from "../rpm/version.ts";
import { actWhenFree, type Waiting } from "./wait.ts";

export function yumWork(effects: ManagerEffects): WorkingHalf {
  const { run, root } = effects;
  const waiting = { ...usualPatience, rpmLockHolder: () => rpmLockHolder(root) };
  const rpm = rpmCalls(effects);
  const installing = (): InstallEffects => ({ calls: yumCalls(effects), rpm, waiting, locks: () => readLocks(root) });
  const offers: WorkingHalf["offers"] = async (name) => {
    const locks = readLocks(root);
    const found = orderOffers(await askOffers(askYum(run, root), name), readPriorities(root));
    return found.filter((version) => isAdmitted(locks, name, version));
  };
  return {
    refresh: (name) => refresh(yumCalls(effects), name, { waiting, cache: listsBelow(root) }),
    offers,
    sources: () => Promise.resolve(readSources(root)),
    buildOf: (name, to) => askBuild(askYum(run, root), { name, to }),
    simulate: (change) =>
      simulate({ ...askYum(run, root), askRpm: rpm.ask, rows: rpm.rows, offers, locks: () => readLocks(root) }, change),
    bring: (change, planned) => {
      const calls = yumCalls(effects);
      const cache = listsBelow(root);
      const download = downloadByYum({ calls, rpm, waiting, cache });
      return bring({ ask: calls.ask, askRpm: rpm.ask, rows: rpm.rows, download, cache }, change, planned);
    },
    fetch: (wanted, directory) => {
      const download = downloadByYum({ calls: yumCalls(effects), rpm, waiting, cache: listsBelow(root) });
      return fetchFile({ ...rpm, root, download }, wanted, directory);
    },
    install: (change, planned) => install(installing(), change, planned),
    installFiles: (change, files) => installFilesUnderLocks(installing(), change, files),
    objectionToBack: (sets) => objectionToBack({ ...rpm, root }, sets),
    holdAgain: (name) => holdAt(installing(), name, undefined),
    mend: (names) => mend(rpm, names),
  };
}

/** The calls for one step, which ask for the repositories once. */
function yumCalls(effects: ManagerEffects): YumCalls {
  const asking = askYum(effects.run, effects.root);
  return { ...asking, ...actYum(asking, effects) };
}

/** Respects the version locks, which rpm does not know. Only the agent's own lock may be ignored. */
export async function installFilesUnderLocks(effects: InstallEffects, change: Change, files: FileSet): Promise<void> {
  const entries = effects.locks();
  const isLifted = (name: string): boolean => name === change.name && change.hold === "lifted";
  const shownBy = `${effects.calls.program} versionlock list`;
  await refusePastLocks(
    effects.rpm,
    { change, files },
    { keeps: (file) => !isLifted(file.name) && isKeptFrom(entries, file), named: "version lock", shownBy },
  );
  const failure = await installFiles(effects.rpm, change, files).then(() => undefined, asFault);
  if (change.hold === "lifted") await holdAt(effects, change.name, failure);
  if (failure !== undefined) throw failure;
}

/** dnf shows a file's size, but not its checksum. */
export async function askBuild(
  calls: Pick<YumCalls, "ask" | "program">,
  wanted: { readonly name: PackageName; readonly to: PackageVersion },
): Promise<Build> {
  return buildFrom((await answerTo(calls, fileSizeArgs(wanted), `repoquery ${wanted.name}`)).stdout);
}

/** Unknown if repositories offer different files of one version, because dnf could install either. */
function buildFrom(output: string): Build {
  const sizes = new Set(output.split("\n").filter((line) => /^\d{1,15}$/.test(line)));
  const [only] = sizes;
  return { sha256: undefined, bytes: sizes.size === 1 ? Number(only) : undefined };
}

type DownloadEffects = {
  readonly calls: Omit<YumCalls, "act" | "ask" | "removeCaches">;
  readonly rpm: Pick<RpmCalls, "rows">;
  readonly waiting: Waiting;
  /** Where dnf keeps lists and packages, with a directory for each repository. */
  readonly cache: string;
};

/** dnf keeps a package in its cache until the next successful transaction, so its files are looked for there. */
export function downloadByYum({ calls, rpm, waiting, cache }: DownloadEffects): Download {
  return async ({ name, version }, into) => {
    const wanted = { name, to: version };
    const isThere = (await rpm.rows(name)).some((row) => packageVersionOf(row) === version);
    const { ignored } = await calls.repositories();
    const directory = into === "cache" ? undefined : into.directory;
    // dnf finds nothing to do if it is asked to install an installed package.
    const verb = isThere ? "reinstall" : "install";
    const args = downloadArgs(verb, wanted, { ignored, directory });
    const { program } = calls;
    const { status, output } = await actWhenFree({ program, waiting, what: `download ${exactly(wanted)}` }, (what) =>
      calls.download(args, what, directory),
    );
    if (status === 0) return [directory ?? cache];
    const fault = yumFault(output, { program, command: `${verb} --downloadonly ${exactly(wanted)}` });
    if (fault.code !== "install-failed") throw fault;
    throw new Fault("download-failed", { message: fault.message, hint: fault.hint, cause: fault });
  };
}

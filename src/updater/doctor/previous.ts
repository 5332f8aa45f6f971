import { shellWord } from "../../rules/text/shell-word.ts";
import type { PackageExaminer } from "../package/manager/examiner.ts";
import type { InstalledPackage } from "../plan/host-facts.ts";
import type { KeptPackage } from "../record/state.ts";
import type { PackageName, Settings } from "../../rules/settings/settings.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { failed, ok, skipped, warning, type Finding } from "./check.ts";
import type { Paths } from "../../machine/files/paths.ts";
import type { Change, PackageManager } from "../package/manager/manager.ts";
import { companionsIn } from "../pass/companions.ts";
import { checkFile } from "../store/kept-packages.ts";
import { keptSetsIn } from "../store/ledger-file.ts";

export type AlongScene = {
  readonly name: PackageName;
  /** Undefined if it is not installed, so the move adds it. */
  readonly version: PackageVersion | undefined;
  /** Whether its file is kept or in a repository. */
  readonly isAtHand: boolean;
};

export type PreviousScene = {
  readonly settings: Pick<Settings, "agent" | "keepPrevious">;
  readonly installed: InstalledPackage;
  readonly examiner: Pick<PackageExaminer, "isCached" | "remedies">;
  readonly offers: readonly PackageVersion[];
  /** The kept packages that are unchanged since passes noted them. */
  readonly kept: readonly KeptPackage[];
  /** The other packages that the next move would replace or add, as they are now. */
  readonly along: readonly AlongScene[];
  /** The file for another value of the setting. */
  readonly fragment: string;
};

/** Whether a move could be rolled back to the installed version. */
export function examinePrevious(scene: PreviousScene): Finding {
  const { settings, installed, kept, offers } = scene;
  const { package: name } = settings.agent;
  if (installed.kind === "absent") return skipped(`${name} is not installed, so there is nothing to roll back to`);
  const { packageVersion } = installed;
  if (settings.keepPrevious === "never") return ok("keep_previous: never: no package is kept for a rollback");
  const gone = scene.along.filter(({ isAtHand }) => !isAtHand);
  const isHad = kept.some((one) => one.packageVersion === packageVersion) || offers.includes(packageVersion);
  if (isHad && gone.length > 0) return alongGone(packageVersion, gone, scene);
  const added = scene.along.filter(({ version }) => version === undefined);
  if (isHad && added.length > 0) return besideAdded(packageVersion, added, scene);
  if (kept.some((one) => one.packageVersion === packageVersion)) {
    return ok(
      `the package of ${name} ${packageVersion} is kept, so it can be rolled back to, also without the network${tellAlong(scene)}`,
    );
  }
  if (offers.includes(packageVersion)) {
    return ok(`a repository still offers ${name} ${packageVersion}, so it can be rolled back to${tellAlong(scene)}`);
  }
  return noRollback(packageVersion, scene);
}

/** Only the move itself can check whether a rollback works with the packages that it adds. */
function besideAdded(packageVersion: PackageVersion, added: readonly AlongScene[], { settings }: PreviousScene): Finding {
  const name = settings.agent.package;
  const then = settings.keepPrevious === "require" ? "if not, the move is refused" : "if not, the move says so";
  return ok(
    `the package of ${name} ${packageVersion} is at hand; the next move adds ${added.map((one) => one.name).join(", ")}: whether ${packageVersion} can be rolled back to with that in place is asked in the move, before anything changes; ${then}`,
  );
}

function tellAlong({ along }: PreviousScene): string {
  return along.length === 0 ? "" : `; with it ${along.map(({ name }) => name).join(", ")}`;
}

/** Only the move itself can check whether the old version runs with the new companions. */
function alongGone(packageVersion: PackageVersion, gone: readonly AlongScene[], scene: PreviousScene): Finding {
  const { settings, examiner } = scene;
  const [first = gone[0]] = gone;
  const named = gone.map(({ name, version }) => `${name} ${version}`).join(", ");
  const then = settings.keepPrevious === "require" ? "the move is refused" : "the move cannot be rolled back";
  return warning(
    `the next move would exchange ${named} as well, which no repository offers any more: if ${settings.agent.package} ${packageVersion} does not run without, ${then}`,
    first && examiner.remedies.lookUp(first.name),
  );
}

function noRollback(packageVersion: PackageVersion, { settings, examiner, fragment }: PreviousScene): Finding {
  const { package: name } = settings.agent;
  const gone = `no repository offers the installed ${name} ${packageVersion} any more`;
  const cached = examiner.isCached(name, packageVersion)
    ? "; its package lies in the cache, from where only you can install it"
    : "";
  if (settings.keepPrevious === "require") {
    return failed(
      `${gone}, and keep_previous: require moves nothing that cannot be rolled back${cached}; offer it once more, or set keep_previous: prefer`,
      `echo 'keep_previous: prefer' | sudo tee ${shellWord(fragment)}`,
    );
  }
  return warning(`${gone}: a move could not be rolled back to it${cached}`, examiner.remedies.lookUp(name));
}

/** The other packages that the next move would replace or add. Empty if the package manager makes no plan. */
export async function alongIn(
  change: Change | undefined,
  manager: PackageManager,
  place: Pick<Paths, "ledger" | "keptPackages">,
): Promise<readonly AlongScene[]> {
  const planned = change === undefined ? [] : await manager.simulate(change).catch(() => []);
  const companions = change === undefined ? [] : await companionsIn(planned, change.name, manager).catch(() => []);
  const files = keptSetsIn(place).flatMap((set) => set.companions);
  const along: AlongScene[] = [];
  for (const { name, from: version, to } of companions) {
    if (version === to) continue;
    if (version === undefined) {
      along.push({ name, version, isAtHand: true });
      continue;
    }
    const isKept = files.some(
      (one) => one.name === name && one.packageVersion === version && checkFile(place.keptPackages, one).kind === "whole",
    );
    along.push({ name, version, isAtHand: isKept || (await manager.offers(name)).includes(version) });
  }
  return along;
}

import { againWhenKilled } from "./again-when-killed.ts";
import type { Paths } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import type { PackageManager } from "../../package/manager/manager.ts";
import { foresee } from "../../pass/foresee.ts";
import type { Move } from "../../plan/host-decision.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { Foreseen } from "../../plan/foreseen.ts";
import type { State } from "../../record/state.ts";
import type { Settings } from "../../../rules/settings/settings.ts";
import { checkKept, companionsIn } from "../../store/ledger-file.ts";
import { examinersFor } from "./examiners.ts";

export type Here = {
  readonly paths: Paths;
  readonly settings: Settings;
  readonly state: State;
  readonly manager: PackageManager;
  readonly installed: InstalledPackage;
};

/** What a move would meet on this host, as far as the files on its disk show. */
export function foreseeHere(move: Move, { paths, settings, state, manager, installed }: Here): Promise<Foreseen> {
  const examiners = examinersFor(againWhenKilled(runCommand), paths.root);
  return foresee({
    move,
    settings,
    installed,
    manager,
    beside: companionsIn(paths),
    kept: state.kept,
    checkKept: (kept) => checkKept(paths, kept),
    listsAskedAt: () => examiners.find(({ name }) => name === manager.name)?.listsAskedAt(),
  });
}

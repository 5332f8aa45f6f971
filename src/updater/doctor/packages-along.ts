import type { Paths } from "../../machine/files/paths.ts";
import type { Change, PackageManager } from "../package/manager/manager.ts";
import { companionsIn } from "../pass/companions.ts";
import { checkFile } from "../store/kept-packages.ts";
import { keptSetsIn } from "../store/ledger-file.ts";
import type { AlongScene } from "./previous.ts";

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

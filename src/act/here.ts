import { Fault } from "../fault/fault.ts";
import type { Change, PackageManager, Planned } from "../package/manager.ts";
import type { Acting } from "../pass/ports.ts";
import type { KeptPackage } from "../record/state.ts";
import type { PackageName } from "../settings/settings.ts";
import { adoptPackage, checkKept, keepOnly, prepareKept, type KeptPlace } from "../store/kept-packages.ts";

/** What is done to packages; the rest of acting is the agent's unit, and waiting. */
export type PackageActs = Omit<Acting, "awaitTransaction" | "watchUnit">;

export type Hands = {
  readonly name: PackageName;
  readonly manager: () => Promise<PackageManager>;
  /** Where the kept packages lie. */
  readonly kept: KeptPlace;
};

/** Acts in this process. */
export function actHere({ name, manager, kept: place }: Hands): PackageActs {
  let planned: { readonly change: Change; readonly packages: readonly Planned[] } | undefined;
  return {
    refresh: async () => (await manager()).refresh(name),
    simulate: async (change) => {
      planned = { change, packages: await (await manager()).simulate(change) };
    },
    bring: async (change) => {
      const { bring, simulate } = await manager();
      const packages = planned !== undefined && isSame(planned.change, change) ? planned.packages : await simulate(change);
      await bring(change, packages);
    },
    keep: async ({ version, is }) => {
      prepareKept(place);
      const file = await (await manager()).fetch({ name, version, is }, place.keptPackages);
      return adoptPackage(place.keptPackages, file, version);
    },
    keepOnly: async (kept) => keepOnly(place, kept),
    install: async (change, kept) => {
      const { install, installFile } = await manager();
      return kept === undefined ? install(change) : installFile(change, pathOf(kept, place.keptPackages));
    },
    holdAgain: async () => (await manager()).holdAgain(name),
    mend: async () => (await manager()).mend(name),
  };
}

function isSame(one: Change, other: Change): boolean {
  return one.to === other.to && one.direction === other.direction && one.hold === other.hold;
}

/** It was whole a moment ago. What is installed is what was looked at: nobody but root can write there. */
function pathOf(kept: KeptPackage, directory: string): string {
  const found = checkKept(directory, kept);
  if (found.kind === "whole") return found.path;
  throw new Fault("file-failed", {
    message: `the kept package of ${kept.packageVersion} is of no use: ${found.why}`,
    hint: `look at ls -l ${directory}`,
  });
}

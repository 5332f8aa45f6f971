import type { StepName } from "../../../src/updater/record/state.ts";
import { apache2, mariadb } from "../../system/lab/debian-set.ts";
import type { FileSystem } from "../../system/lab/disk.ts";
import { killAndLook, type Kill } from "../kill.ts";
import { back, steps } from "../kill-table.ts";
import type { Row, Scenario } from "../scenario.ts";

/** Where the power goes: with its caches lost on a file system that can lose them. */
type Cut = Pick<Kill, "network"> & { readonly fileSystem?: FileSystem };

const cuts = [
  { network: "down" },
  { network: "up", fileSystem: "xfs" },
  { network: "up" },
  { network: "down", fileSystem: "ext4" },
] as const satisfies readonly Cut[];

/** All four where the packages are changed, and else two in turn. */
function cutsAt(when: StepName, index: number): readonly Cut[] {
  if (when === "install" || when === "back-install") return cuts;
  return index % 2 === 0 ? cuts.slice(2) : cuts.slice(0, 2);
}

/** Power cuts of Debian's own packages: those that are locked to one version, and those that break older ones. */
export const debiansOwn: Row = {
  scenarios: [
    { row: 41, set: mariadb },
    { row: 42, set: apache2 },
  ].flatMap((of) =>
    steps.flatMap((when, index) => cutsAt(when, index).map((cut) => ({ ...of, ...cutAt(of.set.names[0], when, cut) }))),
  ),
  unstaged: [],
};

function cutAt(name: string | undefined, when: StepName, { network, fileSystem }: Cut): Omit<Scenario, "row"> {
  const kill: Kill = {
    when,
    victim: fileSystem === undefined ? "host" : "host, its caches lost",
    network,
    version: back.includes(when) ? "bad" : "good",
    again: "nobody",
  };
  const who = fileSystem === undefined ? "host" : `${kill.victim},`;
  const where = fileSystem === undefined ? "" : ` on ${fileSystem}`;
  return {
    name: `${name}: kill the ${who} at ${when} towards a ${kill.version} version${where}, network ${network}`,
    family: "apt",
    ...(fileSystem === undefined ? {} : { fileSystem }),
    play: (stage, random) => killAndLook(stage, kill, random),
  };
}

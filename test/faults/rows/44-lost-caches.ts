import { killAndLook, type Kill } from "../kill.ts";
import { back, forth } from "../kill-table.ts";
import { families, type Row, type Scenario } from "../scenario.ts";

const victim = "host, its caches lost";

type Moment = Pick<Kill, "when" | "version" | "again">;

const moments: readonly Moment[] = [
  ...forth.map((when): Moment => ({ when, version: "good", again: "nobody" })),
  ...back.map((when): Moment => ({ when, version: "bad", again: "nobody" })),
  ...(["any instant", "its end"] as const).flatMap((when): readonly Moment[] => [
    { when, version: "good", again: "nobody" },
    { when, version: "bad", again: "nobody" },
  ]),
  { when: "install", version: "good", again: victim },
  { when: "back-install", version: "bad", again: victim },
];

/** The first two are both file systems, and so are the last; in each two one finds no network afterwards. */
const places = [
  { fileSystem: "ext4", network: "down" },
  { fileSystem: "xfs", network: "up" },
  { fileSystem: "ext4", network: "up" },
  { fileSystem: "xfs", network: "down" },
] as const;

/** Power cuts that really lose what was not synced, on file systems with a journal. */
export const lostCaches: Row = { scenarios: lostCachesIn({ row: 44 }), unstaged: [] };

/** The same where other packages are moved with the agent's: their row is the set's. */
export function lostCachesIn(of: Pick<Scenario, "row" | "set">): readonly Scenario[] {
  return families.flatMap((family) =>
    moments.flatMap((moment, index) => placesOf(moment, index).map((place) => ({ ...of, ...cut(family, moment, place) }))),
  );
}

type Place = (typeof places)[number];

/** All four where the package is being changed. */
function placesOf({ when }: Moment, index: number): readonly Place[] {
  if (when === "install" || when === "back-install") return places;
  return index % 2 === 0 ? places.slice(0, 2) : places.slice(2);
}

function cut(family: Scenario["family"], moment: Moment, { fileSystem, network }: Place): Omit<Scenario, "row"> {
  const { when, version, again } = moment;
  const hits = again === "nobody" ? `at ${when}` : `at ${when}, and again in the pass that mends it,`;
  return {
    name: `kill the ${victim}, ${hits} towards a ${version} version on ${fileSystem}, network ${network}`,
    family,
    fileSystem,
    play: (stage, random) => killAndLook(stage, { ...moment, victim, network }, random),
  };
}

import { breaking, locked } from "../system/lab/agent-set.ts";
import { killScenarios, killScenariosOfSet, type Kills } from "./kill-table.ts";
import { errors } from "./rows/01-errors.ts";
import { loops } from "./rows/05-loops.ts";
import { hangs } from "./rows/06-hangs.ts";
import { state } from "./rows/07-state.ts";
import { badVersions } from "./rows/08-bad-versions.ts";
import { health } from "./rows/09-health.ts";
import { noRollback } from "./rows/11-no-way-back.ts";
import { several } from "./rows/12-several.ts";
import { locks } from "./rows/15-locks.ts";
import { halfWay } from "./rows/16-half-way.ts";
import { statuses } from "./rows/17-statuses.ts";
import { prompts } from "./rows/18-prompts.ts";
import { held } from "./rows/19-held.ts";
import { fullDisk } from "./rows/20-full-disk.ts";
import { downloads } from "./rows/21-downloads.ts";
import { lists } from "./rows/24-lists.ts";
import { proxies } from "./rows/25-proxies.ts";
import { network } from "./rows/26-network.ts";
import { late } from "./rows/29-late.ts";
import { signals } from "./rows/31-signals.ts";
import { surroundings } from "./rows/32-surroundings.ts";
import { uninstalls } from "./rows/34-uninstalls.ts";
import { debiansOwn } from "./rows/42-debian.ts";
import { killed } from "./rows/43-killed.ts";
import { managerAway } from "./rows/45-manager-away.ts";
import { repairs } from "./rows/47-repairs.ts";
import { rejected } from "./rows/48-rejected.ts";
import { everyHalfWay } from "./rows/46-half-way.ts";
import { powerCuts } from "./rows/44-power-cuts.ts";
import { lostCaches, lostCachesIn } from "./rows/44-lost-caches.ts";
import { leases } from "./rows/51-leases.ts";
import { otherNames } from "./rows/50-other-names.ts";
import type { Row } from "./scenario.ts";

const rows: readonly Row[] = [
  errors,
  loops,
  hangs,
  state,
  badVersions,
  health,
  noRollback,
  several,
  locks,
  halfWay,
  statuses,
  prompts,
  held,
  fullDisk,
  downloads,
  lists,
  proxies,
  network,
  late,
  signals,
  surroundings,
  uninstalls,
  debiansOwn,
  killed,
  managerAway,
  repairs,
  rejected,
  everyHalfWay,
  powerCuts,
  lostCaches,
  otherNames,
  leases,
];

/** Those of the catalogue that concern no host of this kind. */
const elsewhere: Row["unstaged"] = [
  { row: 36, name: "a fleet's lock server", why: "of the server's side, which is not there yet" },
  { row: 37, name: "a server's limits and grants", why: "of the server's side, which is not there yet" },
  { row: 38, name: "Kubernetes", why: "of the updater in a cluster, which is not there yet" },
  { row: 52, name: "a client that sends and never reads", why: "of the server's side: npm run hostile:server" },
];

const sets = [
  { row: 41, set: breaking },
  { row: 42, set: locked },
];

/** Every fault of the catalogue that concerns a Linux host, the golden path after each (row 40), and what nothing stages. */
export function faultTable(kills: Kills): Row {
  return {
    scenarios: [
      ...killScenarios(kills),
      ...sets.flatMap((of) => [...killScenariosOfSet(kills, of), ...lostCachesIn(of)]),
      ...rows.flatMap(({ scenarios }) => scenarios),
    ],
    unstaged: [...rows.flatMap(({ unstaged }) => unstaged), ...elsewhere],
  };
}

import { asFault, faultData } from "../fault/explain.ts";
import type { Paths } from "../host/paths.ts";
import type { Observers } from "../pass/ports.ts";
import { prepare, type PreparedSettings, type SettingSources } from "../sources/settings.ts";
import type { PackageManager } from "../package/manager.ts";
import { movedSince, tellMoved } from "../plan/companion.ts";
import type { ClockReading } from "../decide/clock.ts";
import { emptyState } from "../record/state.ts";
import { originText } from "../settings/explain.ts";
import type { Settings } from "../settings/settings.ts";
import { keptSetsIn, notKeptIn } from "../store/ledger-file.ts";
import type { StateReading } from "../store/state-file.ts";
import { conditionOf } from "../unit/condition.ts";
import { basisOf } from "./decision-basis.ts";
import { lookAtAgent, type UnitPorts } from "./look-at-units.ts";
import type { Notes } from "./notes.ts";
import type { AgentSeen, AlongSeen, ScheduleSeen, Observed, UnitsSeen } from "./observed.ts";
import { wayToChannel, type WayPorts } from "./route-to-channel.ts";

export type HostPorts = {
  readonly sources: Omit<SettingSources, "log">;
  readonly userId: number;
  readonly proxies: WayPorts["proxies"];
  readonly observers: (settings: Settings) => Pick<Observers, "builtAt" | "findManager" | "askBinary">;
  readonly units: UnitPorts | Exclude<UnitsSeen["kind"], "units">;
};

/** What was seen before. */
type Known = {
  readonly clock: ClockReading;
  readonly state: StateReading;
  readonly schedule: ScheduleSeen;
  readonly notes: Notes;
};

type HostSeen = Pick<Observed, "settings" | "route" | "basis" | "installed" | "along"> & {
  readonly agent: AgentSeen | undefined;
};

/** All that needs the settings: which package, which unit, which channel. */
export async function lookAtHost(ports: HostPorts, known: Known): Promise<HostSeen> {
  const { clock, notes } = known;
  let prepared: PreparedSettings;
  try {
    prepared = await prepare({ ...ports.sources, log: notes.log });
  } catch (thrown) {
    const basis = { kind: "fault", fault: faultData(asFault(thrown)) } as const;
    return { settings: undefined, route: undefined, basis, installed: undefined, along: [], agent: undefined };
  }
  const { settings } = prepared;
  const { units, userId } = ports;
  const { builtAt, findManager, askBinary } = ports.observers(settings);
  const finding = findManager();
  const showing = typeof units === "string" ? undefined : notes.attempt(lookAtAgent(settings.agent.unit, units, clock.now));
  const observers: Omit<Observers, "askChannel"> = {
    builtAt,
    askBinary,
    readClock: () => clock,
    readSchedule: () => Promise.resolve(known.schedule.schedule),
    findManager: () => finding,
    watchAgent: async (previous) => {
      const seen = await showing;
      return seen === undefined ? "unknown" : conditionOf(seen.shown, clock.bootId, previous);
    },
  };
  const state = known.state.kind === "state" ? known.state.state : emptyState;
  const [found, agent, basis] = await Promise.all([
    // Where it is not found, the basis says why.
    finding.catch(() => undefined),
    showing,
    basisOf(observers, { settings, state, userId, notes }),
  ]);
  const along = found === undefined ? [] : ((await notes.attempt(lookAlong(found.manager, ports.sources.paths))) ?? []);
  const way = wayToChannel(prepared, { paths: ports.sources.paths, proxies: ports.proxies }, notes);
  return {
    settings: { settings, endpoint: way.endpoint, holdOrigin: holdOrigin(prepared) },
    route: way.route,
    basis: way.fault === undefined ? basis : { kind: "fault", fault: way.fault },
    installed: found?.installed,
    along,
    agent,
  };
}

/** Whether what moved along is still where the move left it. */
async function lookAlong(
  manager: Pick<PackageManager, "inspectAll">,
  place: Pick<Paths, "ledger">,
): Promise<readonly AlongSeen[]> {
  const seen: AlongSeen[] = [];
  for (const { packageVersion, companions } of keptSetsIn(place)) {
    if (companions.length === 0) continue;
    const names = companions.map(({ name }) => name);
    const moved = movedSince(companions, await manager.inspectAll(names));
    seen.push({ packageVersion, names, objection: moved && tellMoved(moved) });
  }
  const notKept = notKeptIn(place);
  const isMissing = notKept !== undefined && !seen.some((one) => one.packageVersion === notKept.packageVersion);
  return isMissing ? [...seen, { packageVersion: notKept.packageVersion, names: [], objection: notKept.why }] : seen;
}

function holdOrigin({ settings, rows }: PreparedSettings): string | undefined {
  const row = rows.find(({ key }) => key === "hold");
  return settings.hold === undefined || row === undefined ? undefined : originText(row.origin);
}

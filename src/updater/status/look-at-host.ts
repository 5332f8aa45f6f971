import { asFault, faultData } from "../../rules/fault/explain.ts";
import type { FaultData } from "../../rules/fault/fault.ts";
import type { AgentPaths, Paths } from "../../machine/files/paths.ts";
import type { Observers } from "../pass/ports.ts";
import { agentPathsSeen, prepare, type PreparedSettings, type SettingSources } from "../sources/settings.ts";
import type { PackageManager } from "../package/manager/manager.ts";
import { movedSince, tellMoved } from "../plan/companion.ts";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import { emptyState } from "../record/state.ts";
import { originText } from "../../rules/settings/explain.ts";
import type { Settings } from "../../rules/settings/settings.ts";
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

type Known = {
  readonly clock: ClockReading;
  readonly state: StateReading;
  readonly settings: SettingsRead;
  readonly schedule: ScheduleSeen;
  readonly notes: Notes;
};

/** The settings. If they are wrong, the look uses what they correctly say about the agent's files. */
export type SettingsRead = { readonly agentPaths: AgentPaths } & (
  | { readonly kind: "prepared"; readonly prepared: PreparedSettings }
  | { readonly kind: "fault"; readonly fault: FaultData }
);

export async function readSettings({ sources }: Pick<HostPorts, "sources">, { log }: Notes): Promise<SettingsRead> {
  try {
    const prepared = await prepare({ ...sources, log });
    return { kind: "prepared", prepared, agentPaths: prepared.agentPaths };
  } catch (thrown) {
    return { kind: "fault", fault: faultData(asFault(thrown)), agentPaths: await agentPathsSeen(sources) };
  }
}

type HostSeen = Pick<Observed, "settings" | "route" | "basis" | "installed" | "along"> & {
  readonly agent: AgentSeen | undefined;
};

/** Looks at all that needs the settings: the package, the unit, the channel. */
export async function lookAtHost(ports: HostPorts, known: Known): Promise<HostSeen> {
  const { clock, notes } = known;
  if (known.settings.kind === "fault") {
    const basis = { kind: "fault", fault: known.settings.fault } as const;
    return { settings: undefined, route: undefined, basis, installed: undefined, along: [], agent: undefined };
  }
  const { prepared } = known.settings;
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
    // If the version is not found, the basis has the reason.
    finding.catch(() => undefined),
    showing,
    basisOf(observers, { settings, state, userId, notes }),
  ]);
  const along = found === undefined ? [] : ((await notes.attempt(lookAlong(found.manager, ports.sources.paths))) ?? []);
  const way = wayToChannel(prepared, { proxies: ports.proxies }, notes);
  return {
    settings: { settings, endpoint: way.endpoint, holdOrigin: originOf("hold", prepared), pinOrigin: originOf("pin", prepared) },
    route: way.route,
    basis: way.fault === undefined ? basis : { kind: "fault", fault: way.fault },
    installed: found?.installed,
    along,
    agent,
  };
}

/** Whether the packages that moved along are still at the version of that move. */
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

function originOf(order: "hold" | "pin", { settings, rows }: PreparedSettings): string | undefined {
  const row = rows.find(({ key }) => key === order);
  return settings[order] === undefined || row === undefined ? undefined : originText(row.origin);
}

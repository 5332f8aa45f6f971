import type { AgentSeen, Seen } from "../../status/seen.ts";
import type { StatusView } from "../../status/view.ts";
import type { ShownTimer } from "../../unit/timer.ts";
import { instantJson } from "./when-json.ts";

/** The package and the units, as they are now. */
export type HostJson = {
  readonly package?: {
    readonly name: string | undefined;
    readonly version: string;
    readonly condition: "whole" | "half-way";
    /** By the package manager. */
    readonly held: boolean;
  };
  /** What is broken and waits for its repair. */
  readonly damage?: string | undefined;
  readonly running?: { readonly by: "unit" | "process"; readonly process?: number };
  /** "units": they were asked. */
  readonly units: Seen["units"]["kind"];
  readonly agent?: {
    readonly unit: string;
    readonly state: string;
    readonly sub: string;
    readonly enabled: boolean;
    readonly since?: string | undefined;
    readonly process?: number | undefined;
    readonly restarts: number;
  };
  readonly timer?: {
    readonly enabled: boolean;
    readonly active: boolean;
    readonly last?: string | undefined;
    readonly next?: string | undefined;
  };
};

export function hostJson({ seen, damage }: StatusView): HostJson {
  const { installed, settings, running, units } = seen;
  const { agent, timer } = units.kind === "units" ? units : {};
  return {
    ...(installed?.kind === "present"
      ? {
          package: {
            name: settings?.settings.agent.package,
            version: installed.packageVersion,
            condition: installed.condition,
            held: installed.isHeld,
          },
        }
      : {}),
    damage,
    ...(running === undefined ? {} : { running: running.by === "unit" ? running : { by: running.by, process: running.pid } }),
    units: units.kind,
    ...(agent === undefined ? {} : { agent: agentJson(agent) }),
    ...(timer === undefined ? {} : { timer: timerJson(timer) }),
  };
}

function agentJson({ unit, shown, activeSince }: AgentSeen): NonNullable<HostJson["agent"]> {
  const { active, sub, isEnabled, mainPid, restarts } = shown;
  return {
    unit,
    state: active,
    sub,
    enabled: isEnabled,
    since: instantJson(activeSince),
    process: mainPid === 0 ? undefined : mainPid,
    restarts,
  };
}

function timerJson({ isEnabled, isActive, lastAt, nextAt }: ShownTimer): NonNullable<HostJson["timer"]> {
  return { enabled: isEnabled, active: isActive, last: instantJson(lastAt), next: instantJson(nextAt) };
}

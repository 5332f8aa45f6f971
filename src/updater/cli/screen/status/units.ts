import type { AgentCondition } from "../../../plan/host-facts.ts";
import type { AgentSeen } from "../../../status/observed.ts";
import type { StatusView } from "../../../status/view.ts";
import { isWaiting } from "../../../unit/shown.ts";
import { timerTrouble, type ShownTimer } from "../../../unit/timer.ts";
import { tellAway } from "../../times/moment.ts";
import { tellLocal } from "../../times/tell-local.ts";
import { bad, caution, row, type Reader, type Row } from "./row.ts";

/** The rows about the agent's unit and the timer that starts passes. */
export function unitRows({ seen: { units, basis } }: StatusView, reader: Reader): readonly Row[] {
  switch (units.kind) {
    case "another-root":
      return [row("units", "not asked: on another root none of them runs")];
    case "no-systemd":
      return [row("units", "none: systemd does not run here, so passes are started by hand")];
    case "units": {
      const { agent, timer } = units;
      const condition = basis.kind === "fault" ? "unknown" : basis.facts.agent;
      return [
        ...(agent === undefined ? [] : [agentRow(agent, condition, reader)]),
        ...(timer === undefined ? [] : [timerRow(timer, reader)]),
      ];
    }
  }
}

function agentRow({ unit, shown, activeSince }: AgentSeen, condition: AgentCondition, reader: Reader): Row {
  if (shown.isMasked) return caution("agent", `${unit} is masked, so nothing can start it`);
  if (!shown.isLoaded) return caution("agent", `${unit} does not exist`);
  const { active, sub, result, mainPid, restarts, isEnabled, trigger } = shown;
  const state = active === "failed" ? `failed (${result})` : active === "activating" ? `${active} (${sub})` : active;
  const details = [
    ...(activeSince === undefined ? [] : [` since ${tellLocal(activeSince, reader.zone)}`]),
    ...(mainPid === 0 ? [] : [`, process ${mainPid}`]),
    ...(restarts === 0 ? [] : [`, restarted ${restarts} ${restarts === 1 ? "time" : "times"} by systemd`]),
    ...(isEnabled ? [] : [", not enabled"]),
    ...(isWaiting(shown) && trigger !== undefined ? [`; ${trigger.unit} starts it when it is needed`] : []),
  ].join("");
  const told = `${unit} is ${state}${details}`;
  return condition === "unhealthy" ? bad("agent", `unhealthy: ${told}`) : row("agent", told);
}

function timerRow(timer: ShownTimer, reader: Reader): Row {
  const { lastAt, nextAt } = timer;
  const last = lastAt === undefined ? "" : `; last fired ${tellAway(lastAt, reader.now)}`;
  const trouble = timerTrouble(timer);
  // For a missing timer, systemd does not know when it last fired.
  if (trouble?.kind === "off") return caution("timer", `off${last}`);
  const next = nextAt === undefined ? "" : `; next ${tellAway(nextAt, reader.now)}`;
  const on = `on${last === "" ? "; not fired yet" : last}${next}`;
  return trouble === undefined ? row("timer", on) : caution("timer", `${on}; ${trouble.told}: ${trouble.fix}`);
}

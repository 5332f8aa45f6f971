import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { actingSocket, actingUnit, askingSocket, askingUnit, decidingUnit } from "../unit/own-units.ts";
import { showProperties } from "../unit/properties.ts";
import { showTimer, timerTrouble, timerUnit, type ShownTimer } from "../unit/timer.ts";
import { printInstant } from "../../rules/window/instant.ts";
import { failed, ok, warning, type Finding } from "./check.ts";

/** The units that a tick starts, one after the other. */
const started: readonly UnitName[] = [decidingUnit, askingSocket, askingUnit, actingSocket, actingUnit];

export async function examineTimer(run: RunCommand): Promise<Finding> {
  const [timer, ...services] = await Promise.all([showTimer(run), ...started.map((unit) => loadOf(run, unit))]);
  return judgeTimer(timer, services);
}

/** A unit with its LoadState. */
export type LoadedUnit = { readonly unit: UnitName; readonly load: string };

async function loadOf(run: RunCommand, unit: UnitName): Promise<LoadedUnit> {
  return { unit, load: (await showProperties(run, unit, ["LoadState"])).LoadState };
}

/** Whether passes start by themselves, now and after the next boot. */
export function judgeTimer(timer: ShownTimer, services: readonly LoadedUnit[]): Finding {
  const trouble = timerTrouble(timer);
  // A missing timer cannot be enabled: svc-upgrade has to be installed again.
  if (timer.load === "missing" && trouble !== undefined) {
    return failed(`${trouble.told}: no pass comes by itself; ${trouble.fix}`);
  }
  if (trouble?.kind === "off") return failed(`${trouble.told}: no pass comes by itself`, trouble.fix);
  const lost = services.find(({ load }) => load !== "loaded");
  if (lost !== undefined) {
    const fix = lost.load === "masked" ? `sudo systemctl unmask ${lost.unit}` : `systemctl status ${lost.unit}`;
    return failed(`${lost.unit} is ${lost.load}: no pass can run`, fix);
  }
  if (trouble !== undefined) return warning(trouble.told, trouble.fix);
  const next = timer.nextAt === undefined ? "a pass is running" : `the next pass is due at ${printInstant(timer.nextAt)}`;
  return ok(`${timerUnit} is enabled and active; ${next}`);
}

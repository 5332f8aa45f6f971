import type { RunCommand } from "../../machine/processes/command.ts";
import { parseInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { must } from "./complaint.ts";
import { toolEnvironment } from "./environment.ts";
import { askTimeoutMs } from "./properties.ts";

export type ShownTimer = {
  readonly load: "loaded" | "masked" | "missing";
  readonly isEnabled: boolean;
  readonly isActive: boolean;
  readonly lastAt: UnixSeconds | undefined;
  /** Undefined if the timer is off, while its pass runs, or if it has no OnCalendar= setting. */
  readonly nextAt: UnixSeconds | undefined;
};

export const timerUnit = "svc-upgrade.timer";

const properties = ["LoadState", "ActiveState", "UnitFileState", "LastTriggerUSec", "NextElapseUSecRealtime"] as const;

export async function showTimer(run: RunCommand): Promise<ShownTimer> {
  const argv = ["systemctl", "show", `--property=${properties.join(",")}`, "--", timerUnit] as const;
  // systemctl prints instants in the caller's time zone.
  const env = { ...toolEnvironment, TZ: "UTC" };
  return parseTimer(
    must(await askingAgain(run)({ argv: [argv[0], ...argv.slice(1)], env, timeoutMs: askTimeoutMs }), `show ${timerUnit}`),
  );
}

export function parseTimer(output: string): ShownTimer {
  const value = (key: (typeof properties)[number]): string => new RegExp(`^${key}=(.*)$`, "m").exec(output)?.[1] ?? "";
  const load = value("LoadState");
  return {
    load: load === "loaded" || load === "masked" ? load : "missing",
    isEnabled: /^enabled(-runtime)?$/.test(value("UnitFileState")),
    isActive: value("ActiveState") === "active",
    lastAt: readInstant(value("LastTriggerUSec")),
    nextAt: readInstant(value("NextElapseUSecRealtime")),
  };
}

/** Why no pass starts by itself, now or after the next boot, and the command that changes it. */
export type TimerTrouble = { readonly kind: "off" | "fleeting"; readonly told: string; readonly fix: string };

export function timerTrouble({ load, isEnabled, isActive }: ShownTimer): TimerTrouble | undefined {
  const enable = `sudo systemctl enable --now ${timerUnit}`;
  if (load === "missing")
    return { kind: "off", told: `${timerUnit} is missing`, fix: "install the package svc-ent-updater again" };
  if (load === "masked")
    return { kind: "off", told: `${timerUnit} is masked`, fix: `sudo systemctl unmask ${timerUnit} && ${enable}` };
  if (isActive) return isEnabled ? undefined : { kind: "fleeting", told: `${timerUnit} is off after the next boot`, fix: enable };
  return isEnabled
    ? { kind: "off", told: `${timerUnit} is stopped until the next boot`, fix: `sudo systemctl start ${timerUnit}` }
    : { kind: "off", told: `${timerUnit} is disabled`, fix: enable };
}

/** Reads `Sat 2026-11-21 08:51:46 UTC`. systemd prints nothing or n/a if there is no instant. */
function readInstant(text: string): UnixSeconds | undefined {
  const match = /(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) UTC$/.exec(text);
  return match === null ? undefined : parseInstant(`${match[1]}T${match[2]}Z`);
}

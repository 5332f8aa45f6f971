import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { showProperties } from "./properties.ts";

/** A program that keeps the clock right: the commands that start it and that show its state. */
export type ClockKeeper = { readonly start: string; readonly look: string };

/** The units' names on Debian, Red Hat and SUSE. */
const keepers: readonly (readonly [unit: string, ClockKeeper])[] = [
  ...["chrony.service", "chronyd.service"].map(
    (unit) =>
      [unit, { start: `sudo systemctl enable --now ${unit} && sudo chronyc makestep`, look: "chronyc tracking" }] as const,
  ),
  ["systemd-timesyncd.service", { start: "sudo timedatectl set-ntp true", look: "timedatectl timesync-status" }],
  ...["ntpsec.service", "ntpd.service", "ntp.service"].map(
    (unit) => [unit, { start: `sudo systemctl enable --now ${unit}`, look: "ntpq -p" }] as const,
  ),
];

/** Finds the first of them that is installed; undefined without one. */
export async function findClockKeeper(run: RunCommand): Promise<ClockKeeper | undefined> {
  const loads = await Promise.all(keepers.map(([unit]) => showProperties(run, unit as UnitName, ["LoadState"])));
  return keepers.find((_keeper, index) => loads[index]?.LoadState === "loaded")?.[1];
}

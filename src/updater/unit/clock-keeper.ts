import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { showProperties } from "./properties.ts";

/** A program that keeps the clock right: what has it do so, and what shows how it fares. */
export type ClockKeeper = { readonly start: string; readonly look: string };

/** By their units, under the names that Debian, Red Hat and SUSE give them. */
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

/** The first that is installed; undefined: none that we know. */
export async function findClockKeeper(run: RunCommand): Promise<ClockKeeper | undefined> {
  const loads = await Promise.all(keepers.map(([unit]) => showProperties(run, unit as UnitName, ["LoadState"])));
  return keepers.find((_keeper, index) => loads[index]?.LoadState === "loaded")?.[1];
}

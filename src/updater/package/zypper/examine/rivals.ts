import { belowRoot } from "../../../../machine/files/paths.ts";
import type { PackageName } from "../../../../rules/settings/settings.ts";
import type { IsActive, Rival } from "../../manager/examiner.ts";
import { readConfiguration } from "../../rpm/read-configuration.ts";
import { isHeld } from "../unheld.ts";

/** The administrator's file comes first, because it wins over the distribution's. */
const osUpdateFiles: readonly string[] = ["/etc/os-update.conf", "/usr/etc/os-update.conf"];

/** Finds SUSE's programs that upgrade packages by themselves. A lock stops them, and `holds: override` lets us ignore it. */
export async function rivals(name: PackageName, isActive: IsActive, root: string = "/"): Promise<readonly Rival[]> {
  if (isHeld(root, name)) return [];
  const moving = [
    ...((await isActive("transactional-update.timer")) ? ["transactional-update"] : []),
    ...((await isActive("os-update.timer")) && movesPackages(osUpdateConfiguration(root)) ? ["os-update"] : []),
  ];
  return moving.map((program) => ({
    told: `${program} moves ${name} too, whatever the window says`,
    fix: `sudo zypper addlock ${name} && echo 'holds: override' | sudo tee /etc/svc-upgrade/60-holds.yaml`,
  }));
}

/** With security only, os-update installs patches, not every newer version. */
export function movesPackages(configuration: string): boolean {
  return !/^UPDATE_CMD=["']?security\b/m.test(configuration);
}

function osUpdateConfiguration(root: string): string {
  return osUpdateFiles.map((path) => readConfiguration(belowRoot(root, path))).find((text) => text !== undefined) ?? "";
}

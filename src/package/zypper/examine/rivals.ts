import { readText } from "../../../host/read-file.ts";
import type { PackageName } from "../../../settings/settings.ts";
import type { IsActive, Rival } from "../../examiner.ts";
import { isHeld } from "../unheld.ts";

const capBytes: number = 64 * 1024;
/** The admin's wins over the distribution's. */
const osUpdateFiles: readonly string[] = ["/etc/os-update.conf", "/usr/etc/os-update.conf"];

/** SUSE's programs that upgrade packages by themselves. A lock keeps them off, and `holds: override` lets us past it. */
export async function rivals(name: PackageName, isActive: IsActive): Promise<readonly Rival[]> {
  if (isHeld("/", name)) return [];
  const moving = [
    ...((await isActive("transactional-update.timer")) ? ["transactional-update"] : []),
    ...((await isActive("os-update.timer")) && movesPackages(osUpdateConfiguration()) ? ["os-update"] : []),
  ];
  return moving.map((program) => ({
    told: `${program} moves ${name} too, whatever the window says`,
    fix: `sudo zypper addlock ${name} && echo 'holds: override' | sudo tee /etc/svc-upgrade/60-holds.yaml`,
  }));
}

/** Told to see to security alone, os-update installs patches, and no mere newer version. */
export function movesPackages(configuration: string): boolean {
  return !/^UPDATE_CMD=["']?security\b/m.test(configuration);
}

function osUpdateConfiguration(): string {
  for (const path of osUpdateFiles) {
    const text = readText(path, { capBytes, links: "follow" });
    if (text !== undefined) return text;
  }
  return "";
}

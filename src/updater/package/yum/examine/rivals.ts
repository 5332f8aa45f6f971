import { belowRoot } from "../../../../machine/files/paths.ts";
import type { PackageName } from "../../../../rules/settings/settings.ts";
import type { IsActive, Rival } from "../../manager/examiner.ts";
import { readConfiguration } from "../../rpm/read-configuration.ts";
import { parseSections } from "../repository-files.ts";

const configuration = "/etc/dnf/automatic.conf";
/** This timer always installs; the other one does what its configuration says. */
const installing = "dnf-automatic-install.timer";
const configured = "dnf-automatic.timer";

/** dnf-automatic upgrades packages by itself, and would move this one. */
export async function rivals(name: PackageName, isActive: IsActive, root: string = "/"): Promise<readonly Rival[]> {
  const text = readConfiguration(belowRoot(root, configuration));
  if (text === undefined) return [];
  const isInstalling = await isActive(installing);
  if (!isInstalling && !(await isActive(configured))) return [];
  if (!movesByItself(text, name, isInstalling ? "always" : "as-configured")) return [];
  return [
    {
      told: `dnf-automatic moves ${name} too, whatever the window says`,
      fix: `sudo sed -i '/^\\[base\\]/a excludepkgs = ${name}' ${configuration}`,
    },
  ];
}

export function movesByItself(text: string, name: PackageName, applies: "always" | "as-configured"): boolean {
  const sections = parseSections(text);
  const commands = sections.get("commands");
  const base = sections.get("base");
  const excluded = `${base?.get("excludepkgs") ?? ""} ${base?.get("exclude") ?? ""}`.split(/[\s,]+/);
  if (excluded.includes(name)) return false;
  return applies === "always" || /^(?:1|yes|true|on)$/i.test(commands?.get("apply_updates") ?? "");
}

import { agentPathsBelow, type Paths } from "../../machine/files/paths.ts";
import { isOwnRoot } from "../../machine/processes/booted.ts";
import { agentFilesIn, mergeSettings } from "../../rules/settings/merge.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { readSettingsFiles } from "../../updater/store/settings-files.ts";

export type SettingsSeen = {
  /** Undefined if the settings are invalid, or if another user could have written them. */
  readonly settings: Settings | undefined;
  /** The path of the schedule file in valid settings. */
  readonly schedule: string;
};

/** Reads the settings from the files, as far as this user may, without the environment of the updater's units. */
export async function seeSettings(paths: Pick<Paths, "root" | "settingsDirectories">): Promise<SettingsSeen> {
  const ownerUid = isOwnRoot(paths) ? 0 : (process.geteuid?.() ?? 0);
  const { fragments, faults, untrusted } = await readSettingsFiles(paths.settingsDirectories, ownerUid);
  const trusted = untrusted === undefined ? fragments : [];
  const merged = mergeSettings(trusted, faults);
  return {
    settings: untrusted === undefined && merged.kind === "settings" ? merged.settings : undefined,
    schedule: agentPathsBelow(paths.root, agentFilesIn(trusted)).schedule,
  };
}

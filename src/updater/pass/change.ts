import type { Change, PackageManager } from "../package/manager/manager.ts";
import type { InstalledPackage } from "../plan/host-facts.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { compareVersions } from "../../rules/version/version.ts";
import { wrappedVersion, type PackageVersion } from "../../rules/version/wrapped.ts";
import type { Journal } from "./journal.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Actors, Observers, UnitWatch } from "./ports.ts";

export type Changing = {
  readonly settings: Settings;
  readonly manager: PackageManager;
  readonly ports: Observers & Actors;
  readonly journal: Journal;
};

/** What else a change needs. `beside`: packages that moved along earlier and are repaired with the agent's. */
type ChangeBasis = { readonly settings: Pick<Settings, "agent" | "holds">; readonly beside: Change["beside"] };

/** The change that installs this version in place of the installed one. */
export function changeTo(to: PackageVersion, installed: InstalledPackage, { settings, beside }: ChangeBasis): Change {
  const direction = directionOf(installed.packageVersion, to);
  return { name: settings.agent.package, to, direction, hold: holdOver(installed, settings), beside };
}

/** Watches the agent's unit for a pass that continues a change. `since` is when the change began. */
export function watchOn(since: UnixSeconds, { journal, ports }: Pick<Changing, "journal" | "ports">): Promise<UnitWatch> {
  return ports.acting.watchUnit({ before: journal.inHand().agentBefore ?? "unknown", since });
}

export function holdOver(installed: InstalledPackage, { holds }: Pick<Settings, "holds">): Change["hold"] {
  return installed.isHeld && holds === "override" ? "lifted" : "none";
}

/**
 * Compares the versions that the packages contain. Two packages of one version may be in either order, so a downgrade is allowed but not demanded.
 */
function directionOf(from: PackageVersion | undefined, to: PackageVersion): Change["direction"] {
  if (from === undefined) return "up";
  if (from === to) return "same";
  const [old, wanted] = [wrappedVersion(from), wrappedVersion(to)];
  if (old === undefined || wanted === undefined) return "up";
  return compareVersions(old, wanted) >= 0 ? "down" : "up";
}

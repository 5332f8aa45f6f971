import { asFault } from "../../../rules/fault/explain.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import type { InstalledPackage } from "../../plan/host-facts.ts";
import type { PackageName, Settings } from "../../../rules/settings/settings.ts";
import type { PackageManager } from "./manager.ts";

/** A manager, and what its database says about the package. The pass uses that answer. */
export type Detected = { readonly manager: PackageManager; readonly installed: InstalledPackage };

/**
 * Finds the manager of the installed package, by its database and not by installed programs: a Debian host may have rpm, a Fedora host dpkg. A new
 * family is one more manager in the list.
 */
export async function detectManager(
  managers: readonly PackageManager[],
  setting: Settings["manager"],
  name: PackageName,
): Promise<Detected> {
  if (setting !== "auto") return namedManager(managers, setting, name);
  const here = (await Promise.all(managers.map((manager) => inspectWith(manager, name)))).filter((found) => found !== undefined);
  const managing = here.filter(({ installed }) => installed.kind === "present");
  // If the package is not installed yet, the host's only manager is taken.
  const [only, ...others] = managing.length > 0 ? managing : here;
  if (only === undefined || others.length > 0) throw unclear(managing, name);
  return only;
}

async function namedManager(
  managers: readonly PackageManager[],
  setting: PackageManager["name"],
  name: PackageName,
): Promise<Detected> {
  const manager = managers.find((candidate) => candidate.name === setting);
  if (manager === undefined) {
    throw new Fault("host-unsupported", {
      message: `this version of svc-upgrade cannot work with ${setting}`,
      hint: `set \`manager:\` to one of ${managers.map((known) => known.name).join(", ")}`,
    });
  }
  return { manager, installed: await manager.inspect(name) };
}

/** Undefined if this manager's programs are not on this host. */
async function inspectWith(manager: PackageManager, name: PackageName): Promise<Detected | undefined> {
  try {
    return { manager, installed: await manager.inspect(name) };
  } catch (thrown) {
    if (asFault(thrown).code === "host-unsupported") return undefined;
    throw thrown;
  }
}

function unclear(managing: readonly Detected[], name: PackageName): Fault {
  const claimants = managing.map(({ manager }) => manager.name).join(" and ");
  return new Fault("manager-unclear", {
    message:
      claimants === "" ? `no package manager of this host is the one for ${name}` : `${claimants} both have ${name} installed`,
    hint: "name the right one with `manager:` in a file below /etc/svc-upgrade",
  });
}

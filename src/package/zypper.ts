import { existsSync } from "node:fs";
import { Fault } from "../fault/fault.ts";
import type { RunCommand } from "../host/command.ts";
import type { InstalledPackage } from "../plan/facts.ts";
import type { PackageName } from "../settings/settings.ts";
import { inHalves, type LookingHalf } from "./halves.ts";
import type { PackageManager } from "./manager.ts";
import { inspectRpm } from "./rpm/installed.ts";
import { runInTrusted } from "./rpm/run-in-trusted.ts";
import type { ZypperActEffects } from "./zypper/act.ts";
import { isHeld } from "./zypper/unheld.ts";

/** What zypper works with: how it is run, and where; by the proxies the repositories are reached, as everything else is. */
export type ZypperEffects = ZypperActEffects & { readonly run: RunCommand };

export function zypperManager(given: ZypperEffects): PackageManager {
  const { root } = given;
  const effects = { ...given, run: runInTrusted(given.run, root) };
  const looking: LookingHalf = {
    name: "zypper",
    inspect: async (name) => (await inspectAll(effects, [name]))[0] ?? { kind: "absent" },
    inspectAll: (names) => inspectAll(effects, names),
  };
  return inHalves(looking, async () => (await import("./zypper/work.ts")).zypperWork(effects, looking));
}

async function inspectAll({ run, root }: ZypperEffects, names: readonly PackageName[]): Promise<readonly InstalledPackage[]> {
  // rpm alone may be on any host, and says nothing of who calls it.
  if (!existsSync(program)) throw notInstalled();
  return inspectRpm({ run, root }, names, (name) => isHeld(root, name));
}

const program = "/usr/bin/zypper";

function notInstalled(): Fault {
  return new Fault("host-unsupported", {
    message: "zypper is not installed",
    hint: "set `manager:` to the package manager that installs the agent on this host",
  });
}

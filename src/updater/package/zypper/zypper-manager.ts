import { existsSync } from "node:fs";
import { Fault } from "../../../rules/fault/fault.ts";
import { inHalves, type LookingHalf } from "../manager/load-when-working.ts";
import type { ManagerEffects } from "../manager/effects.ts";
import type { PackageManager } from "../manager/manager.ts";
import { inTrusted } from "../rpm/in-trusted.ts";

export function zypperManager(given: ManagerEffects): PackageManager {
  const { root } = given;
  const effects = inTrusted(given);
  const inspectAll: PackageManager["inspectAll"] = async (names) => {
    // Looks for zypper itself, because any host may have rpm.
    if (!existsSync(program)) throw notInstalled();
    const { inspectZypper } = await import("./inspect.ts");
    return inspectZypper(await effects(), names);
  };
  const looking: LookingHalf = {
    name: "zypper",
    root,
    inspect: async (name) => (await inspectAll([name]))[0] ?? { kind: "absent" },
    inspectAll,
  };
  return inHalves(looking, async () => (await import("./working-half.ts")).zypperWork(await effects(), looking));
}

const program = "/usr/bin/zypper";

function notInstalled(): Fault {
  return new Fault("host-unsupported", {
    message: "zypper is not installed",
    hint: "set `manager:` to the package manager that installs the agent on this host",
  });
}

import { inHalves, type LookingHalf } from "../manager/load-when-working.ts";
import type { ManagerEffects } from "../manager/effects.ts";
import type { PackageManager } from "../manager/manager.ts";
import { inTrusted } from "../rpm/in-trusted.ts";
import { yumProgram } from "./program.ts";

/** dnf 4, under any of its names. */
export function yumManager(given: ManagerEffects): PackageManager {
  const { root } = given;
  const effects = inTrusted(given);
  const inspectAll: PackageManager["inspectAll"] = async (names) => {
    // Throws without dnf: rpm alone is no sign of it, because any host may have rpm.
    yumProgram();
    const { inspectYum } = await import("./inspect.ts");
    return inspectYum(await effects(), names);
  };
  const looking: LookingHalf = {
    name: "yum",
    root,
    inspect: async (name) => (await inspectAll([name]))[0] ?? { kind: "absent" },
    inspectAll,
  };
  return inHalves(looking, async () => (await import("./working-half.ts")).yumWork(await effects()));
}

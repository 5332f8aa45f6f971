import { databaseBelow, inspectAllArgv, inspectArgv } from "./database.ts";
import { aptEnvironment } from "./environment.ts";
import { installedAmong, installedFrom } from "./installed.ts";
import { inHalves, type LookingHalf } from "../manager/load-when-working.ts";
import type { ManagerEffects } from "../manager/effects.ts";
import type { PackageManager } from "../manager/manager.ts";
import { ended } from "../call/result.ts";

/** Generous: dpkg-query takes 10 ms. */
const inspectTimeoutMs = 20_000;

export function aptManager(effects: ManagerEffects): PackageManager {
  const { run, root } = effects;
  const looking = {
    name: "apt",
    root,
    inspect: async (name) => {
      const argv = inspectArgv(name, databaseBelow(root));
      const env = aptEnvironment("");
      return installedFrom(ended(await run({ argv, env, timeoutMs: inspectTimeoutMs }), argv[0]), name);
    },
    inspectAll: async (names) => {
      if (names.length === 0) return [];
      const argv = inspectAllArgv(names, databaseBelow(root));
      return installedAmong(ended(await run({ argv, env: aptEnvironment(""), timeoutMs: inspectTimeoutMs }), argv[0]), names);
    },
  } satisfies LookingHalf;
  return inHalves(looking, async () => (await import("./working-half.ts")).aptWork(effects));
}

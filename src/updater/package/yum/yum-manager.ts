import type { RunCommand } from "../../../machine/processes/command.ts";
import type { ProxyVariables } from "../../../rules/route/route.ts";
import { inHalves, type LookingHalf } from "../manager/load-when-working.ts";
import type { PackageManager } from "../manager/manager.ts";
import { inTrusted } from "../rpm/in-trusted.ts";
import type { Transact } from "../call/transact.ts";
import { yumProgram } from "./program.ts";

/** What yum works with: how it is run, and where. */
export type YumEffects = {
  readonly run: RunCommand;
  readonly transact: Transact;
  /** "/" for the machine itself; else an absolute path without a slash at its end. */
  readonly root: string;
  /** By them the repositories are reached, as everything else is. */
  readonly proxies: ProxyVariables;
};

/** dnf 4, under whichever of its names. */
export function yumManager(given: YumEffects): PackageManager {
  const { root } = given;
  const effects = inTrusted(given);
  const inspectAll: PackageManager["inspectAll"] = async (names) => {
    // rpm alone may be on any host, as a tool.
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

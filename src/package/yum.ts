import type { RunCommand } from "../host/command.ts";
import type { ProxyVariables } from "../route/route.ts";
import { inHalves, type LookingHalf } from "./halves.ts";
import type { PackageManager } from "./manager.ts";
import { inspectRpm } from "./rpm/installed.ts";
import { runInTrusted } from "./rpm/run-in-trusted.ts";
import type { Transact } from "./transact.ts";
import { holdsOf, readLocks } from "./yum/locks.ts";
import { yumProgram } from "./yum/program.ts";

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
  const effects = { ...given, run: runInTrusted(given.run, root) };
  const inspectAll: PackageManager["inspectAll"] = async (names) => {
    // rpm alone may be on any host, as a tool.
    yumProgram();
    return inspectRpm(effects, names, (name) => holdsOf(readLocks(root), name).length > 0);
  };
  const looking: LookingHalf = {
    name: "yum",
    inspect: async (name) => (await inspectAll([name]))[0] ?? { kind: "absent" },
    inspectAll,
  };
  return inHalves(looking, async () => (await import("./yum/work.ts")).yumWork(effects));
}

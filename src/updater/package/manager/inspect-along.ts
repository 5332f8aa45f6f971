import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageManager } from "./manager.ts";

/** A manager for which the agent's package is whole only if those that moved along are. */
export function inspectingBeside(manager: PackageManager, beside: () => readonly PackageName[]): PackageManager {
  return {
    ...manager,
    inspect: async (name) => {
      const others = beside().filter((other) => other !== name);
      if (others.length === 0) return manager.inspect(name);
      const [agent = { kind: "absent" }, ...found] = await manager.inspectAll([name, ...others]);
      const isBroken = found.some((one) => one.kind === "present" && one.condition === "half-way");
      return agent.kind === "present" && isBroken ? { ...agent, condition: "half-way" } : agent;
    },
  };
}

import type { AgentCondition, InstalledPackage, HostMemory } from "./host-facts.ts";

/** What is known of a host at the version that is served. */
export type AtServed = {
  readonly agent: AgentCondition;
  readonly installed: InstalledPackage;
  readonly rejected: HostMemory["rejected"];
};

/** Whether a call for a person is over at the version that is served: by an agent that runs, unless with a version that failed here. */
export function isCallOver({ agent, installed, rejected }: AtServed): boolean {
  if (agent !== "running") return false;
  return rejected.every(({ packageVersion }) => packageVersion !== installed.packageVersion);
}

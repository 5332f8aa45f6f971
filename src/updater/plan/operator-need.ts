import type { AgentCondition, InstalledPackage, HostMemory } from "./host-facts.ts";

/** What is known of a host at the served version. */
export type AtServed = {
  readonly agent: AgentCondition;
  readonly installed: InstalledPackage;
  readonly rejected: HostMemory["rejected"];
};

/** Whether an administrator is no longer needed: the agent runs at the served version, which has not failed here. */
export function isCallOver({ agent, installed, rejected }: AtServed): boolean {
  if (agent !== "running") return false;
  return rejected.every(({ packageVersion }) => packageVersion !== installed.packageVersion);
}

import type { AgentCondition, InstalledPackage, HostMemory } from "./host-facts.ts";

/** What is known of a host at the served version. */
export type AtServed = {
  readonly agent: AgentCondition;
  readonly installed: InstalledPackage;
  readonly rejected: HostMemory["rejected"];
};

/** Whether no administrator is needed any more: the agent runs at the served version, which did not fail here. */
export function isCallOver({ agent, installed, rejected }: AtServed): boolean {
  if (agent !== "running") return false;
  return rejected.every(({ packageVersion }) => packageVersion !== installed.packageVersion);
}

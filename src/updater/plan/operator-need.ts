import type { AgentCondition, InstalledPackage, HostMemory } from "./host-facts.ts";

/** What is known of a host at the served version. */
export type AtServed = {
  readonly agent: AgentCondition;
  readonly installed: InstalledPackage;
  readonly rejected: HostMemory["rejected"];
};

/** Whether a call for a person is over: the agent runs at the served version, and that version has not failed here. */
export function isCallOver({ agent, installed, rejected }: AtServed): boolean {
  if (agent !== "running") return false;
  return rejected.every(({ packageVersion }) => packageVersion !== installed.packageVersion);
}

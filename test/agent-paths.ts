import { agentPathsBelow, type AgentPaths, type Paths } from "../src/machine/files/paths.ts";
import { settings } from "./updater/pass/given.ts";

/** Where the agent's files lie below a root whose settings say nothing of them. */
export function usualAgentPaths({ root }: Pick<Paths, "root">): AgentPaths {
  return agentPathsBelow(root, settings().agentFiles);
}

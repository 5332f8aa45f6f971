import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { projectRoot } from "../project.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables for timing a program: ours, without those that the units unset. One of them in the caller's shell makes the program start
 * itself again, which would count as its own slowness.
 */
export function variablesAsInUnits(variables: Variables): Variables {
  const unit = readFileSync(resolve(projectRoot, "systemd/svc-upgrade.service"), "utf8");
  const unset = new Set([...unit.matchAll(/^UnsetEnvironment=(.*)$/gm)].flatMap(([, names = ""]) => names.split(" ")));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !unset.has(name)));
}

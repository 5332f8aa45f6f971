import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { projectRoot } from "../project.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables for a program that is measured: the caller's, without those that our units unset. With such a variable, the program would start itself
 * a second time, and that time would count too.
 */
export function variablesAsInUnits(variables: Variables): Variables {
  const unit = readFileSync(resolve(projectRoot, "systemd/svc-upgrade.service"), "utf8");
  const unset = new Set([...unit.matchAll(/^UnsetEnvironment=(.*)$/gm)].flatMap(([, names = ""]) => names.split(" ")));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !unset.has(name)));
}

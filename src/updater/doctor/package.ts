import type { Detected } from "../package/manager/detect.ts";
import type { Remedies } from "../package/manager/examiner.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { installAgent } from "../plan/host-lifts.ts";
import type { Finding } from "./check.ts";

export type PackageScene = {
  readonly settings: Pick<Settings, "agent" | "holds">;
  readonly detected: Detected;
  readonly remedies: Remedies;
};

/** The agent's package in the package database. */
export function examinePackage({ settings, detected, remedies }: PackageScene): Finding {
  const { installed, manager } = detected;
  const { package: name } = settings.agent;
  if (installed.kind === "absent") {
    return { verdict: "failed", told: `${name} is not installed`, fix: `sudo ${installAgent}` };
  }
  const told = `${name} ${installed.packageVersion} is installed`;
  if (installed.condition === "half-way") return { verdict: "failed", told: `${told} half-way`, fix: remedies.mend };
  if (installed.version === undefined) {
    return { verdict: "failed", told: `${told}, which is no semantic version`, fix: remedies.lookUp(name) };
  }
  if (!installed.isHeld) return { verdict: "ok", told };
  if (settings.holds === "override")
    return { verdict: "ok", told: `${told}; ${manager.name} holds it, and holds: override passes that` };
  return {
    verdict: "warning",
    told: `${told}, and ${manager.name} holds it there: it stays until that is lifted`,
    fix: remedies.unhold(name),
  };
}

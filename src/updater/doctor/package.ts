import type { Detected } from "../package/manager/detect.ts";
import type { Remedies } from "../package/manager/examiner.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { installAgent } from "../plan/host-lifts.ts";
import { failed, ok, warning, type Finding } from "./check.ts";

export type PackageScene = {
  readonly settings: Pick<Settings, "agent" | "holds">;
  readonly detected: Detected;
  readonly remedies: Remedies;
};

export function examinePackage({ settings, detected, remedies }: PackageScene): Finding {
  const { installed, manager } = detected;
  const { package: name } = settings.agent;
  if (installed.kind === "absent") {
    return failed(`${name} is not installed`, `sudo ${installAgent}`);
  }
  const told = `${name} ${installed.packageVersion} is installed`;
  if (installed.condition === "half-way") return failed(`${told} half-way`, remedies.mend);
  if (installed.version === undefined) {
    return failed(`${told}, which is no semantic version`, remedies.lookUp(name));
  }
  if (!installed.isHeld) return ok(told);
  if (settings.holds === "override") return ok(`${told}; ${manager.name} holds it, and holds: override passes that`);
  return warning(`${told}, and ${manager.name} holds it there: it stays until that is lifted`, remedies.unhold(name));
}

import type { Detected } from "../package/manager/detect.ts";
import type { Remedies } from "../package/manager/examiner.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { installAgent } from "../plan/host-lifts.ts";
import { failed, ok, warning, type Finding, skipped } from "./check.ts";
import type { Binary, InstalledPackage } from "../plan/host-facts.ts";
import { damageIn } from "../plan/target.ts";

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

/** Compares what the agent's binary says with what its package says. */
export function judgeBinary(binary: Binary, installed: InstalledPackage): Finding {
  if (installed.kind === "absent") return skipped("there is no binary without the package");
  if (installed.condition === "half-way") return skipped("the package is only half installed: see package");
  if (binary.kind === "not-asked")
    return ok(`${binary.why ?? "no agent.version_command"}: the package database alone is believed`);
  const damage = damageIn(installed, binary);
  // A pass repairs it when its gates allow; this command does so at once.
  if (damage !== undefined) return failed(damage, "sudo svc-upgrade run --now");
  return ok(binary.kind === "answers" ? `the binary says it is ${binary.version}, as its package does` : binary.kind);
}

import type { Binary, InstalledPackage } from "../plan/host-facts.ts";
import { damageIn } from "../plan/target.ts";
import { failed, ok, skipped, type Finding } from "./check.ts";

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

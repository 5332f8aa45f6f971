import { Fault } from "../../rules/fault/fault.ts";
import { detectManager, type Detected } from "../package/manager/detect.ts";
import type { PackageExaminer } from "../package/manager/examiner.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { skipped, type Finding } from "./check.ts";
import type { Scope } from "./scope.ts";

/** The package manager of the agent's package, or why it was not found. */
export type Found =
  | { readonly kind: "found"; readonly detected: Detected; readonly examiner: PackageExaminer }
  | { readonly kind: "lost"; readonly thrown: unknown };

export async function findManager({ managers, examiners }: Scope, { manager, agent }: Settings): Promise<Found> {
  try {
    const detected = await detectManager(managers, manager, agent.package);
    const examiner = examiners.find(({ name }) => name === detected.manager.name);
    if (examiner === undefined) throw notExamined(detected.manager.name);
    return { kind: "found", detected, examiner };
  } catch (thrown) {
    return { kind: "lost", thrown };
  }
}

export type FoundManager = Extract<Found, { kind: "found" }>;

/** Skips checks that need a package manager; `manager` reports that none was found. */
export async function withManager(
  found: Promise<Found>,
  look: (found: FoundManager) => Finding | Promise<Finding>,
): Promise<Finding> {
  const known = await found;
  return known.kind === "found" ? look(known) : skipped("the package manager could not be asked: see manager");
}

function notExamined(name: string): Fault {
  return new Fault("host-unsupported", {
    message: `this version of svc-upgrade cannot examine ${name}`,
    hint: "look at it by its own means",
  });
}

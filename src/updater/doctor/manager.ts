import type { PackageExaminer } from "../package/manager/examiner.ts";
import { failed, ok, warning, type Finding, skipped } from "./check.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { detectManager, type Detected } from "../package/manager/detect.ts";
import type { Settings, PackageName } from "../../rules/settings/settings.ts";
import type { Scope } from "./scope.ts";

/** Whether a transaction could start now: nobody holds the lock, and nothing is left half-way. */
export async function examineManager(examiner: PackageExaminer): Promise<Finding> {
  const { name, remedies } = examiner;
  const holder = examiner.lockHolder();
  if (holder !== undefined) {
    const who = `process ${holder.pid}${holder.program === undefined ? "" : ` (${holder.program})`}`;
    // A running transaction may have half-installed packages without a fault.
    return warning(
      `${name} is locked by ${who}; a pass waits for it a while, and the next one tries again`,
      `ps -fp ${holder.pid}`,
    );
  }
  const complaints = await examiner.audit();
  if (complaints.length > 0) return failed(`${name}: ${complaints.join("; ")}`, remedies.mend);
  return ok(`${name}; its lock is free and its database whole`);
}

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

/** Whether other programs leave the package alone while this updater waits for its window. */
export async function examineRivals(examiner: PackageExaminer, name: PackageName): Promise<Finding> {
  const [first, ...others] = await examiner.rivals(name);
  if (first === undefined) return ok(`no other updater is known to move ${name}`);
  return warning([first, ...others].map(({ told }) => told).join("; "), first.fix);
}

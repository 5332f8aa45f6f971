import type { PackageExaminer } from "../package/manager/examiner.ts";
import type { PackageName } from "../../rules/settings/settings.ts";
import { ok, warning, type Finding } from "./check.ts";

/** Whether other programs leave the package alone while this updater waits for its window. */
export async function examineRivals(examiner: PackageExaminer, name: PackageName): Promise<Finding> {
  const [first, ...others] = await examiner.rivals(name);
  if (first === undefined) return ok(`no other updater is known to move ${name}`);
  return warning([first, ...others].map(({ told }) => told).join("; "), first.fix);
}

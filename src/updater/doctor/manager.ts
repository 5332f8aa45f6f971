import type { PackageExaminer } from "../package/manager/examiner.ts";
import { failed, ok, warning, type Finding } from "./check.ts";

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

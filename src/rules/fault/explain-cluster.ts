import { ClusterFault, type Wrong } from "./cluster-fault.ts";
import { clusterFaultTable } from "./cluster-table.ts";
import { asFault, exitStatus, faultData } from "./explain.ts";
import { Fault } from "./fault.ts";

/** What stopped a program of a cluster, in whichever of the two tables it stands. */
export type ToldFault = {
  readonly code: string;
  readonly exit: number;
  readonly message: string;
  readonly hint: string;
  readonly wrong: readonly Wrong[];
};

/** Anything that was thrown: what is no fault is a bug of ours. */
export function tellFault(thrown: unknown, program: "svc" | "tctl" | "tsh" | "svc-kube-updater"): ToldFault {
  if (thrown instanceof ClusterFault) {
    const { code, message, hint, wrong } = thrown;
    return { code, exit: clusterFaultTable[code].exit, message, hint, wrong };
  }
  if (thrown instanceof Fault) {
    const { code, message, hint } = faultData(thrown);
    return { code, exit: exitStatus(code), message, hint, wrong: [] };
  }
  const { message } = faultData(asFault(thrown));
  return {
    code: "bug",
    exit: exitStatus("bug"),
    message: message.replace(/^svc-upgrade/, program),
    hint: `please report this with what you typed and \`${program} version\``,
    wrong: [],
  };
}

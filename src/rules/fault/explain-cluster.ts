import { Fault, type Wrong } from "./fault.ts";
import { clusterFaultTable, type ClusterFaultCode } from "./cluster-table.ts";
import { asFault, exitStatus, faultData } from "./explain.ts";

/** What stopped a program of a cluster, in whichever of the two tables it stands. */
export type ToldFault = {
  readonly code: string;
  readonly exit: number;
  readonly message: string;
  readonly hint: string;
  readonly wrong: readonly Wrong[];
};

/** A token, or a link's, that was typed in the place of something else: whole, or nearly, where it was cut. A pin is none. */
const secret = /(?<!sha256:[0-9a-f]*)[0-9a-f]{32,}…?/g;

/** Anything that was thrown: what is no fault is a bug of ours. */
export function tellFault(thrown: unknown, program: "svc" | "tctl" | "tsh" | "svc-kube-updater"): ToldFault {
  if (isClusterFault(thrown)) {
    const { code, message, hint, wrong } = thrown;
    return { code, exit: clusterFaultTable[code].exit, message, hint, wrong };
  }
  if (thrown instanceof Fault) {
    const { code, message, hint } = faultData(thrown);
    const shown = code === "usage" ? message.replaceAll(secret, "(not shown: it may be a secret)") : message;
    return { code, exit: exitStatus(code), message: shown, hint, wrong: [] };
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

export function isClusterFault(thrown: unknown): thrown is Fault & { readonly code: ClusterFaultCode } {
  return thrown instanceof Fault && Object.hasOwn(clusterFaultTable, thrown.code);
}

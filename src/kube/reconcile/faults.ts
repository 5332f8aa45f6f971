import { clusterFaultTable } from "../../rules/fault/cluster-table.ts";
import { objectFaultTable } from "../../rules/fault/object-table.ts";
import { faultTable, type FaultCode } from "../../rules/fault/table.ts";

/** Of the faults of hosts those that the updater can end with as well. */
const shared: readonly FaultCode[] = [
  "usage",
  "answer-invalid",
  "redirect-refused",
  "channel-unknown",
  "channel-refused",
  "tls-untrusted",
  "proxy-refused",
  "no-way-back",
  "os-failed",
  "file-failed",
  "channel-unreachable",
  "channel-failing",
  "proxy-unreachable",
  "overtaken",
  "settings-invalid",
  "proxy-invalid",
  "trust-store-missing",
  "ca-file-unusable",
  "bug",
];

/** Everything that ends a command of svc-kube-updater. */
export const everyFault: Readonly<Record<string, { readonly exit: number; readonly meaning: string }>> = {
  ...Object.fromEntries(shared.map((code) => [code, faultTable[code]])),
  ...objectFaultTable,
  stopped: clusterFaultTable.stopped,
};

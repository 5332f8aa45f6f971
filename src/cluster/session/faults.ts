import { faultTable, type FaultCode } from "../../rules/fault/table.ts";

/** What can go wrong on the way to a cluster's proxy, in words for whoever sits far from it: the updater's table tells the same codes for hosts. */
const words = {
  "proxy-invalid": "HTTPS_PROXY in the environment is no usable proxy",
  "proxy-refused": "the HTTP CONNECT proxy on the way refuses the tunnel, or is no proxy",
  "proxy-unreachable": "the HTTP CONNECT proxy on the way cannot be reached, or cannot reach the cluster",
  "trust-store-missing": "no certificate store was found for https",
} as const satisfies Partial<Record<FaultCode, string>>;

export type SharedFault = { readonly exit: number; readonly meaning: string };

export const faultsOnTheWay: Readonly<Record<string, SharedFault>> = sharedFaultsWith(words);

/** With the statuses that they have everywhere. */
export function sharedFaultsWith(told: Partial<Record<FaultCode, string>>): Readonly<Record<string, SharedFault>> {
  return Object.fromEntries(
    Object.entries(told).map(([code, meaning]) => [code, { exit: faultTable[code as FaultCode].exit, meaning }]),
  );
}

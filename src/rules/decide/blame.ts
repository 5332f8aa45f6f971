import type { FaultCode } from "../fault/table.ts";

/** Which failures speak against a version: in any case, or where the agent was well just before. */
export type Blame = { readonly always: readonly FaultCode[]; readonly ifItWasWell: readonly FaultCode[] };

export function isBlamed(code: FaultCode, { always, ifItWasWell }: Blame, before: "well" | "not known to be well"): boolean {
  return always.includes(code) || (before === "well" && ifItWasWell.includes(code));
}

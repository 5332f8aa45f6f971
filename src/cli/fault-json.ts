import type { FaultData } from "../fault/fault.ts";
import { asWritten } from "../shape/beyond.ts";

/** What takes the place of any answer. */
export type FaultJson = {
  readonly schema: 1;
  readonly fault: { readonly code: string; readonly message: string; readonly hint: string };
};

export function faultJson(fault: FaultData): FaultJson {
  return { schema: 1, fault: { code: asWritten(fault, "code"), message: fault.message, hint: fault.hint } };
}

import { Code, createContextKey, type ConnectError } from "@connectrpc/connect";
import { isClusterFault } from "../../rules/fault/tell-fault.ts";
import type { Caller, StrangeBecause } from "./caller.ts";

/** Why the gate refused a call. */
export type Refused = StrangeBecause | "session-ended" | "proof-refused" | "not-allowed";

/** Undefined if the call failed for another reason than its caller. */
export function whyRefused(caller: Caller, thrown: unknown): Refused | undefined {
  if (caller.kind === "stranger") return caller.why;
  if (!isClusterFault(thrown)) return undefined;
  switch (thrown.code) {
    case "session-ended":
    case "proof-refused":
      return thrown.code;
    case "access-denied":
      return "not-allowed";
    default:
      return undefined;
  }
}

/** Why a call failed. The gate and the handlers fill it in. */
export type Outcome = { failed?: Code; refused?: Refused };

export const outcomeKey: ReturnType<typeof createContextKey<Outcome>> = createContextKey<Outcome>({});

export type CountedCall = {
  /** The method without `svc.v1.`; undefined if no such method exists. */
  readonly method: string | undefined;
  readonly outcome: string;
  readonly refused: Refused | undefined;
};

/** Spells a code as Connect does, for example invalid_argument. */
export function wordOf(code: ConnectError["code"]): string {
  return (Code[code] ?? "Unknown").replaceAll(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
}

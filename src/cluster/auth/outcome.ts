import { Code, createContextKey, type ConnectError } from "@connectrpc/connect";
import { isClusterFault } from "../../rules/fault/tell-fault.ts";
import type { Caller, StrangeBecause } from "./caller.ts";

/** Why the gate let nobody in: a certificate or a session that does not count, or one that does and may not. */
export type Refused = StrangeBecause | "session-ended" | "proof-refused" | "not-allowed";

/** Undefined: it was not for who asks. */
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

/** What became of a call, where it became anything but an answer. Written down as it happens. */
export type Outcome = { failed?: Code; refused?: Refused };

export const outcomeKey: ReturnType<typeof createContextKey<Outcome>> = createContextKey<Outcome>({});

export type CountedCall = {
  /** Without svc.v1; undefined where there is no such method. */
  readonly method: string | undefined;
  readonly outcome: string;
  readonly refused: Refused | undefined;
};

/** As Connect writes it: invalid_argument. */
export function wordOf(code: ConnectError["code"]): string {
  return (Code[code] ?? "Unknown").replaceAll(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
}

import type { Of } from "../shape/shape.ts";
import type { ClusterFaultCode } from "./cluster-table.ts";
import type { fault } from "./data.ts";
import type { ObjectFaultCode } from "./object-table.ts";
import type { FaultCode } from "./table.ts";

/** A code of any program's table. */
export type AnyFaultCode = FaultCode | ClusterFaultCode | ObjectFaultCode;

/** One thing that is wrong with what was sent or read. */
export type Wrong = { readonly at: string; readonly found: string; readonly allowed: string };

/**
 * Why a run or a call stops: what failed and on what, what to do next, and what caused it. Auth sends all but the cause to the caller, so
 * none of the words may be secret.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: AnyFaultCode;
  readonly hint: string;
  /** Every fault of a file at once. */
  readonly wrong: readonly Wrong[];
  /** When to ask again, where that is known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: AnyFaultCode,
    told: {
      readonly message: string;
      readonly hint: string;
      readonly wrong?: readonly Wrong[];
      readonly retryAfterSeconds?: number | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(told.message, told.cause === undefined ? undefined : { cause: told.cause });
    this.code = code;
    this.hint = told.hint;
    this.wrong = told.wrong ?? [];
    this.retryAfterSeconds = told.retryAfterSeconds;
  }
}

/** A fault as it crosses a process border: plain data, causes flattened to their messages. */
export type FaultData = Of<typeof fault>;

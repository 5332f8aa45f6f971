import type { Of } from "../shape/shape.ts";
import type { ClusterFaultCode } from "./cluster-table.ts";
import type { fault } from "./data.ts";
import type { ObjectFaultCode } from "./object-table.ts";
import type { FaultCode } from "./table.ts";

/** A code of any program's table. */
export type AnyFaultCode = FaultCode | ClusterFaultCode | ObjectFaultCode;

/** One wrong place in a file or a request. */
export type Wrong = { readonly at: string; readonly found: string; readonly allowed: string };

/** Stops a run or a call. Auth sends everything but the cause to its caller, so nothing in it may be secret. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: AnyFaultCode;
  readonly hint: string;
  readonly wrong: readonly Wrong[];
  /** When to ask again, if auth said so. */
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

/** A host's fault as plain data, to be stored or sent. Its causes are only their messages. */
export type FaultData = Of<typeof fault>;

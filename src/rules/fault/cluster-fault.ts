import type { ClusterFaultCode } from "./cluster-table.ts";

/** One thing that is wrong with what was sent or read. */
export type Wrong = { readonly at: string; readonly found: string; readonly allowed: string };

/** Why a call to auth, or a program of a cluster, stops. On auth's side it goes to whoever asked as it is: nothing secret is in it. */
export class ClusterFault extends Error {
  override readonly name = "ClusterFault";
  readonly code: ClusterFaultCode;
  readonly hint: string;
  /** Every fault of a file at once. */
  readonly wrong: readonly Wrong[];
  /** When to ask again, where that is known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ClusterFaultCode,
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

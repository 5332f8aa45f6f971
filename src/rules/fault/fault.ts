import type { Of } from "../shape/shape.ts";
import type { fault } from "./data.ts";
import type { FaultCode } from "./table.ts";

/** Why a run stops: what failed and on what, what to do next, and what caused it. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly hint: string;

  constructor(code: FaultCode, told: { readonly message: string; readonly hint: string; readonly cause?: unknown }) {
    super(told.message, told.cause === undefined ? undefined : { cause: told.cause });
    this.code = code;
    this.hint = told.hint;
  }
}

/** A fault as it crosses a process border: plain data, causes flattened to their messages. */
export type FaultData = Of<typeof fault>;

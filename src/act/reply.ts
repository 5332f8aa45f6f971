import { faultData } from "../fault/explain.ts";
import { Fault, type FaultData } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import { faultTable, type FaultCode } from "../fault/table.ts";
import {
  listOf,
  literal,
  object,
  oneOf,
  oneOfKind,
  orUndefined,
  readJson,
  text,
  type Reader,
  type Reading,
} from "../record/read.ts";

/** What becomes of a request: what it was for, or why not. A fault crosses whole, with the code of what caused it. */
export type Reply =
  | { readonly kind: "done"; readonly value: unknown }
  | ({ readonly kind: "fault"; readonly cause: FaultCode | undefined } & FaultData);

/** A package manager's complaint may be pages long; beyond this nobody reads it. */
const longestText = 16_384;
const mostCauses = 8;
/** What is longer than this is no reply. */
export const longestReplyBytes: number = 1024 * 1024;

export function encodeReply(reply: Reply): string {
  return JSON.stringify(reply);
}

export function faultReply(fault: Fault): Reply {
  const { code, message, hint, causes } = faultData(fault);
  return {
    kind: "fault",
    code,
    message: quote(message, longestText),
    hint: quote(hint, longestText),
    causes: causes.slice(0, mostCauses).map((cause) => quote(cause, longestText)),
    cause: fault.cause instanceof Fault ? fault.cause.code : undefined,
  };
}

/** The fault as it was thrown on the other side; its stack stays there. */
export function faultOf({ code, message, hint, causes, cause }: Extract<Reply, { kind: "fault" }>): Fault {
  const chain = causes.reduceRight<Error | undefined>((inner, words, at) => {
    const told = inner === undefined ? undefined : { cause: inner };
    if (at > 0 || cause === undefined) return new Error(words, told);
    return new Fault(cause, { message: words, hint: "", ...told });
  }, undefined);
  return new Fault(code, { message, hint, cause: chain });
}

export function decodeReply<T>(found: string, value: Reader<T>): Reading<Decoded<T>> {
  return readJson(found, oneOfKind<Decoded<T>>({ done: done(value), fault }));
}

type Decoded<T> = { readonly kind: "done"; readonly value: T } | Extract<Reply, { kind: "fault" }>;

function done<T>(value: Reader<T>): Reader<Extract<Decoded<T>, { kind: "done" }>> {
  return object<Extract<Decoded<T>, { kind: "done" }>>({ kind: literal("done"), value }, { unknown: "ignored" });
}

/** A text that was cut ends in an ellipsis, and a character may be two of those that a string counts. */
const words = text(2 * longestText + 1);

const fault = object<Extract<Reply, { kind: "fault" }>>(
  {
    kind: literal("fault"),
    code: oneOf(faultTable),
    message: words,
    hint: words,
    causes: listOf(words, mostCauses),
    cause: orUndefined(oneOf(faultTable)),
  },
  { unknown: "ignored" },
);

import { faultData } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { faultTable } from "../../rules/fault/table.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { kinds, listOf, maybe, quoted, words, type Of, type Shape } from "../../rules/shape/shape.ts";

/** A package manager's complaint may be pages long; nobody reads beyond this. */
const longestText = 16_384;
const mostCauses = 8;
const complaint = quoted(longestText);

const faultKeys = {
  code: words(faultTable),
  message: complaint,
  hint: complaint,
  causes: listOf(complaint, mostCauses),
  /** The code of its cause. */
  cause: maybe(words(faultTable)),
};
const faultKind = kinds({ fault: faultKeys });

/** The result of a request, or a fault with the code of its cause. */
export type Reply = Done<unknown> | FaultReply;
type Done<T> = { readonly kind: "done"; readonly value: T };
type FaultReply = Of<typeof faultKind>;

/** A longer line is not a reply. */
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
    cause: fault.cause instanceof Fault ? faultData(fault.cause).code : undefined,
  };
}

/** The fault that the other side threw, without its stack. */
export function faultOf({ code, message, hint, causes, cause }: FaultReply): Fault {
  const chain = causes.reduceRight<Error | undefined>((inner, found, at) => {
    const told = inner === undefined ? undefined : { cause: inner };
    if (at > 0 || cause === undefined) return new Error(found, told);
    return new Fault(cause, { message: found, hint: "", ...told });
  }, undefined);
  return new Fault(code, { message, hint, cause: chain });
}

export function decodeReply<T>(found: string, value: Shape<T>): Reading<Done<T> | FaultReply> {
  return decode(found, kinds({ done: { value }, fault: faultKeys }) as Shape<Done<T> | FaultReply>, "carried");
}

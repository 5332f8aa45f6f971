import { Fault, type FaultData } from "./fault.ts";
import { quote } from "../text/quote.ts";
import { faultTable, isHostCode, type FaultCode } from "./table.ts";

/** A longer chain of causes is cut, because later causes tell nothing new. */
const mostCauses = 8;
/** A cause may be a program's output, which begins with the failure. */
const longestCause = 200;

export type Program = "svc-upgrade" | "svc-proxy" | "svc-kube-updater" | "svc" | "tctl" | "tsh";

/** Returns a fault. Anything else that was thrown is a bug of the program. */
export function asFault(thrown: unknown, program: Program = "svc-upgrade"): Fault {
  if (thrown instanceof Fault) return thrown;
  const isUnit = program === "svc-upgrade" || program === "svc-proxy";
  const evidence = isUnit ? `the lines of \`journalctl -u ${program}\` around it` : `what you typed and \`${program} version\``;
  return new Fault("bug", {
    message: `${program} failed in a way it does not know: ${messageOf(thrown)}`,
    hint: `please report this with ${evidence}`,
    cause: thrown,
  });
}

/** Makes plain data of a fault. Hosts store and send only codes of their own table, and meet no others. */
export function faultData(fault: Fault): FaultData {
  return { code: isHostCode(fault.code) ? fault.code : "bug", message: fault.message, hint: fault.hint, causes: causesOf(fault) };
}

export function exitStatus(code: FaultCode): number {
  return faultTable[code].exit;
}

function causesOf(fault: Fault): readonly string[] {
  const causes = new Set<unknown>();
  let cause = fault.cause;
  // Stops at a cause that has come before: the chain is a circle.
  while (cause !== undefined && cause !== null && !causes.has(cause) && causes.size < mostCauses) {
    causes.add(cause);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return [...causes].map(messageOf);
}

function messageOf(thrown: unknown): string {
  const words = thrown instanceof Error ? wordsOf(thrown) : printed(thrown);
  return quote(words.replaceAll(advice, ""), longestCause);
}

/** Matches the runtime's advice, which names options that users of the packaged program cannot set. */
const advice = /;[^;]*\b(?:Node\.js|NODE_[A-Z_]+)\b[^;]*/g;

/** The words of an error. If all addresses of a host refuse, the joint error has none of its own. */
function wordsOf(error: Error): string {
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors.slice(0, mostCauses) : [];
  const words = parts.flatMap((part) => (part instanceof Error && part.message !== "" ? [part.message] : []));
  return error.message || words.join("; ") || error.name;
}

function printed(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    // An object may refuse to be printed. The fault is reported anyway.
    return "something that cannot be printed";
  }
}

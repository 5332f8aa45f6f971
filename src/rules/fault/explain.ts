import { Fault, type FaultData } from "./fault.ts";
import { quote } from "../text/quote.ts";
import { faultTable, isHostCode, type FaultCode } from "./table.ts";

/** A cause chain longer than this is cut: the rest is noise. */
const mostCauses = 8;
/** Causes carry what programs printed; the start of it says what failed. */
const longestCause = 200;

export type Program = "svc-upgrade" | "svc-proxy" | "svc-kube-updater" | "svc" | "tctl" | "tsh";

/** What nobody foresaw is a bug of the program that was called. */
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

/** For what holds faults of hosts alone: no other fault is met there. */
export function faultData(fault: Fault): FaultData {
  return { code: isHostCode(fault.code) ? fault.code : "bug", message: fault.message, hint: fault.hint, causes: causesOf(fault) };
}

export function exitStatus(code: FaultCode): number {
  return faultTable[code].exit;
}

function causesOf(fault: Fault): readonly string[] {
  const causes = new Set<unknown>();
  let cause = fault.cause;
  // A cause met twice is a circle.
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

/** What the runtime advises its own users to start it with: nobody who runs the shipped program can. */
const advice = /;[^;]*\b(?:Node\.js|NODE_[A-Z_]+)\b[^;]*/g;

/** Where every address of a host refused, the joint error has no words of its own. */
function wordsOf(error: Error): string {
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors.slice(0, mostCauses) : [];
  const words = parts.flatMap((part) => (part instanceof Error && part.message !== "" ? [part.message] : []));
  return error.message || words.join("; ") || error.name;
}

function printed(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    // An object may refuse to be printed, and no cause may keep a fault from being told.
    return "something that cannot be printed";
  }
}

import { Fault, type FaultData } from "./fault.ts";
import { faultTable, type FaultCode } from "./table.ts";

/** A cause chain longer than this is cut: it is a loop or noise. */
const mostCauses = 8;

/** Anything that was thrown, as a fault: what is not one already is a bug of ours. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault("bug", {
    message: `svc-upgrade failed in a way it does not know: ${messageOf(thrown)}`,
    hint: "please report this with the lines of `journalctl -u svc-upgrade` around it",
    cause: thrown,
  });
}

export function faultData(fault: Fault): FaultData {
  return { code: fault.code, message: fault.message, hint: fault.hint, causes: causesOf(fault) };
}

export function exitStatus(code: FaultCode): number {
  return faultTable[code].exit;
}

export function healsByItself(code: FaultCode): boolean {
  return faultTable[code].heals === "by-itself";
}

function causesOf(fault: Fault): readonly string[] {
  const causes: string[] = [];
  let cause: unknown = fault.cause;
  while (cause !== undefined && cause !== null && causes.length < mostCauses) {
    causes.push(messageOf(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { FaultCode } from "../../../rules/fault/table.ts";
import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import { orInterrupted } from "./interrupted.ts";
import type { Change } from "../manager/manager.ts";

/** The call as an administrator types it, without options. */
export type Call = { readonly program: string; readonly command: string };

/** What a failing package manager prints in the fixed locale, and what it means. */
export type FailureReading = {
  readonly code: FaultCode;
  readonly says?: RegExp;
  /** An exit status that is enough without a text. */
  readonly status?: number;
  /** What to do. By default: run the command to see what it says. */
  readonly hint?: (call: Call) => string;
  /** Adds what the matching lines do not say. */
  readonly tells?: (output: string) => string | undefined;
  /** Replaces the message, if more is known than what failed and how. */
  readonly message?: (output: string, status: number) => string | undefined;
};

/** How to read one package manager. */
export type FailureTable = {
  /** The first one whose text matches wins; otherwise the first one with the status. */
  readonly readings: readonly FailureReading[];
  /** Finds lines that look like errors, if nothing else matches. */
  readonly errors: RegExp;
  /** Enough for one sentence of the manager's with a path and an address. */
  readonly longestLine: number;
  readonly mostLines: number;
  /** How many matching lines to show, if not `mostLines`. */
  readonly mostUnderstood?: number;
  /** Returns the informative part of a line. */
  readonly tidy?: (line: string) => string;
  /** Returns lines to show before the matching ones. */
  readonly before?: (output: string, understood: readonly string[]) => readonly string[];
  /** Returns what says more than any line, whichever one matched. */
  readonly tells?: (output: string) => string | undefined;
};

export type Failed = { readonly output: string; readonly status?: number };

/** The fault of a failed call. */
export function faultIn(table: FailureTable, { output, status = 0 }: Failed, call: Call): Fault {
  const reading = readingOf(table, { output, status });
  const typed = `${call.program} ${call.command}`;
  const ended = status === 0 ? "" : ` with status ${status}`;
  const fault = new Fault(reading?.code ?? "install-failed", {
    message: reading?.message?.(output, status) ?? `${typed} failed${ended}: ${whyIn(table, output, reading)}`,
    hint: reading?.hint?.(call) ?? `see what it says by hand: \`sudo ${typed}\``,
  });
  return orInterrupted(fault, output);
}

function readingOf({ readings }: FailureTable, { output, status }: Failed): FailureReading | undefined {
  return readings.find(({ says }) => says?.test(output)) ?? readings.find((one) => one.status === status && status !== 0);
}

/** The lines that explain a failure: the matching ones, otherwise the last ones that look like errors, otherwise the last ones. */
export function whyIn(
  table: FailureTable,
  output: string,
  reading: FailureReading | undefined = readingOf(table, { output }),
): string {
  const told = reading?.tells?.(output) ?? table.tells?.(output);
  if (told !== undefined) return told;
  const { mostLines, mostUnderstood = mostLines, errors, before = () => [] } = table;
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const understood = lines.filter((line) => reading?.says?.test(line)).slice(0, mostUnderstood);
  if (understood.length > 0) return tellLines(table, [...before(output, understood), ...understood]);
  const wrong = lines.filter((line) => errors.test(line));
  return tellLines(table, (wrong.length > 0 ? wrong : lines).slice(-mostLines));
}

export function tellLines({ mostLines, longestLine, tidy = (line) => line }: FailureTable, lines: readonly string[]): string {
  const some = [...new Set(lines.map((line) => quote(tidy(line), longestLine)))].filter((line) => line !== "");
  return some.length === 0 ? "it said nothing" : some.slice(0, mostLines).join("; ");
}

/** Adds to a busy manager's fault which process keeps it busy, if that is known. */
export function namingHolder(fault: Fault, holder: LockHolder | undefined, what: string): Fault {
  if (fault.code !== "manager-busy" || holder === undefined) return fault;
  return new Fault("manager-busy", { message: heldBy(what, holder), hint: fault.hint, cause: fault });
}

export function heldBy(what: string, { pid, program }: LockHolder): string {
  return `${what} is locked. It is held by process ${pid}${program === undefined ? "" : ` (${quote(program)})`}`;
}

/** A hint for several managers. */
export const waitForIt: NonNullable<FailureReading["hint"]> = () => "wait for it to end; the next pass tries again";
export const runAsRoot: NonNullable<FailureReading["hint"]> = () => "run this as root";

/** The kernel's message for a read-only file system, which every manager prints. */
export const readOnly: { readonly says: RegExp; readonly code: FaultCode; readonly hint: () => string } = {
  says: /Read-only file system/,
  code: "read-only",
  hint: () =>
    "see with `findmnt --target /usr` why nothing can be written there; once it can, a later pass goes on by itself; a host that is always so is upgraded as a whole, for example by `transactional-update`",
};

/** More names would explain no more. */
const mostNames = 8;

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(", ");
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}

/** The fault of a plan that changes what it must not. `look` is the command that shows the whole plan. */
export function refusedPlan({ name, to }: Pick<Change, "name" | "to">, would: string, look: string): Fault {
  const hint = `look at the whole plan with \`${look}\``;
  return new Fault("plan-refused", { message: `installing ${name} ${to} would ${would}`, hint });
}

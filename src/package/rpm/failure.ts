import { Fault } from "../../fault/fault.ts";
import { quote } from "../../fault/quote.ts";
import type { FaultCode } from "../../fault/table.ts";
import type { LockHolder } from "../../host/lock-holder.ts";
import type { FileOnHost } from "../manager.ts";
import { orInterrupted } from "../interrupted.ts";
import { readOnly } from "../read-only.ts";

/** Enough for rpm's own sentence with a path in it. */
const longestLine = 200;
/** What lacks what takes rpm a line for each. */
const mostLines = 4;

type Reading = { readonly says: RegExp; readonly code: FaultCode; readonly hint: (typed: string) => string };

const locked = /can't create transaction lock on .*\(Resource temporarily unavailable\)/;

/** What a failing rpm says, in the fixed locale, and what it means. The first that matches wins. */
const readings: readonly Reading[] = [
  { says: locked, code: "manager-busy", hint: () => "wait for it to end; the next pass tries again" },
  { says: /\((?:Permission denied|Operation not permitted)\)/, code: "not-permitted", hint: () => "run this as root" },
  readOnly,
  {
    says: /^(?:error|fatal error): .*(?:Packages database|rpmdb|Packages index)/m,
    code: "database-broken",
    hint: () => "type `rpm --rebuilddb`",
  },
  { says: /^error: Failed dependencies:$|^\t\S.* (?:is needed by|conflicts with) /m, code: "plan-refused", hint: rehearse },
  { says: /conflicts (?:with file from package|between attempted installs)/, code: "plan-refused", hint: rehearse },
  {
    says: /No space left on device|Disk quota exceeded|needs \d+\s?[KMG]?B? .*on the \S+ filesystem/,
    code: "no-space",
    hint: () => "free some space: `df -h` and `df -i` say how much there is",
  },
  { says: /does not verify: (?:no signature|.*NOKEY)/, code: "package-untrusted", hint: () => "see `rpm -q gpg-pubkey`" },
  {
    says: /does not verify|cannot be installed$|not an rpm package|^error: open of .* failed/m,
    code: "file-failed",
    hint: () => "remove the file, and have the package downloaded once more",
  },
];

/** A call of rpm that failed, as a fault. `typed` is the call as an admin would type it. */
export function rpmFault(output: string, typed: string): Fault {
  const reading = readings.find(({ says }) => says.test(output));
  const fault = new Fault(reading?.code ?? "install-failed", {
    message: `rpm ${typed} failed: ${errorLines(output, reading)}`,
    hint: reading?.hint(typed) ?? `see what it says by hand: \`rpm ${typed}\``,
  });
  return orInterrupted(fault, output);
}

/** Why rpm would not do what it was only asked about. */
export function refusalIn(output: string): string {
  return errorLines(
    output,
    readings.find(({ says }) => says.test(output)),
  );
}

/** At the lock rpm gives up at once, unless somebody looks on at a terminal. */
export function isLocked(output: string): boolean {
  return locked.test(output);
}

/** A busy rpm's fault, saying who keeps it busy. */
export function namingHolder(fault: Fault, holder: LockHolder | undefined): Fault {
  if (holder === undefined) return fault;
  const told = holder.program === undefined ? "" : ` (${quote(holder.program)})`;
  return new Fault("manager-busy", {
    message: `rpm's database is locked. It is held by process ${holder.pid}${told}`,
    hint: fault.hint,
    cause: fault,
  });
}

/** A shell's script, and one in rpm's own language, which says only this of itself. */
const failedScripts: readonly RegExp[] = [
  /^(?:warning|error): %(\w+)\((.*)\) scriptlet failed/,
  /^error: lua script failed: \[string "%(\w+)\((.*)\)"\]/,
];
const scriptsOfInstallation: ReadonlySet<string> = new Set(["pretrans", "pre", "prein", "post", "postin", "posttrans"]);

/** To rpm it is no failure when a script of what it installs fails, but for one before the files. */
export function failedScript(output: string, { name, version }: Pick<FileOnHost, "name" | "version">): string | undefined {
  const line = output.split("\n").find((text) =>
    failedScripts.some((pattern) => {
      const [, script = "", instance = ""] = pattern.exec(text) ?? [];
      return scriptsOfInstallation.has(script) && instance.startsWith(`${name}-${version}.`);
    }),
  );
  return line === undefined ? undefined : quote(line, longestLine);
}

function rehearse(typed: string): string {
  return `see what stands in the way with \`rpm --test ${typed}\``;
}

function errorLines(output: string, reading: Reading | undefined): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const understood = reading === undefined ? [] : lines.filter((line) => reading.says.test(line)).slice(0, mostLines);
  if (understood.length > 0) return joined(understood.filter((line) => line !== "error: Failed dependencies:"));
  const errors = lines.filter((line) => /^(?:error|warning): /.test(line));
  const told = (errors.length > 0 ? errors : lines).slice(-mostLines);
  return told.length === 0 ? "it said nothing" : joined(told);
}

function joined(lines: readonly string[]): string {
  return [...new Set(lines.map((line) => quote(line, longestLine)))].join("; ");
}

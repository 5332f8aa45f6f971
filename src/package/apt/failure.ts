import { Fault } from "../../fault/fault.ts";
import { quote } from "../../fault/quote.ts";
import type { FaultCode } from "../../fault/table.ts";
import type { LockHolder } from "../../host/lock-holder.ts";
import { interruptedHint, orInterrupted } from "../interrupted.ts";
import { readOnly } from "../read-only.ts";
import { culpritsIn } from "./culprits.ts";

/** Enough for apt's own sentence with a path and an address in it. */
const longestLine = 200;
/** A failing package script needs three: what failed, how, and apt's summary. */
const mostLines = 3;

type Reading = {
  readonly says: RegExp;
  readonly code: FaultCode;
  readonly hint: (command: string) => string;
  /** Where the line that was understood does not tell it all. */
  readonly tells?: (output: string) => string | undefined;
};

/** What a failing apt or dpkg says, in the fixed locale, and what it means. The first that matches wins. */
const readings: readonly Reading[] = [
  { says: /are you root\?|requires superuser privilege/, code: "not-permitted", hint: () => "run this as root" },
  {
    says: /Could not get lock|Unable to lock|Unable to acquire the dpkg frontend lock|(?:is|was) locked by .* process/,
    code: "manager-busy",
    hint: () => "wait for it to end; the next pass tries again",
  },
  // dpkg itself; of its scripts it tells in other words.
  { says: /^E: Sub-process \S+ (?:exited unexpectedly|received )/m, code: "interrupted", hint: () => interruptedHint },
  { says: /dpkg was interrupted/, code: "database-broken", hint: () => "type `dpkg --configure -a`" },
  {
    says: /error: parsing file/,
    code: "database-broken",
    hint: () => "see `dpkg --audit`; dpkg keeps older copies in /var/backups",
  },
  {
    says: /^E: (?:Version '.*' for '.*' was not found|Unable to locate package|Package '.*' has no installation candidate)/m,
    code: "not-offered",
    hint: () => "see what the repositories offer with `apt-cache policy`",
  },
  {
    says: /No space left on device|You don't have enough free space/,
    code: "no-space",
    hint: () => "free some space: `apt-get clean`, then see `df -h`",
  },
  readOnly,
  {
    says: /^E: (?:There were unauthenticated packages|Some packages could not be authenticated)/m,
    code: "package-untrusted",
    hint: () => "have the repository signed, and its key named by signed-by in its source",
  },
  {
    // The second where a file is gone that was brought: an installation fetches none.
    says: /^E: (?:Failed to fetch|Unable to fetch|The method '\S+' is explicitly disabled)|Hash Sum mismatch|Could not resolve/m,
    code: "download-failed",
    hint: () => "try the repository by hand with `apt-get update`",
  },
  {
    // Of what is installed already: apt makes no plan for anything before that is repaired.
    says: /^E: Unmet dependencies/m,
    code: "plan-refused",
    hint: () =>
      "see what is missing with `apt-get -s --fix-broken install`, and repair it with `sudo apt-get --fix-broken install`",
    tells: culpritsIn,
  },
  {
    says: /^E: (?:Packages need to be removed|Held packages were changed|Packages were downgraded|Essential packages were removed|Unable to satisfy dependencies)|^ \S+ : (?:(?:Pre-?)?Depends|Conflicts|Breaks|Obsoletes): |held broken packages/m,
    code: "plan-refused",
    hint: (command) => `see what stands in the way with \`apt-get -s ${command}\``,
    tells: culpritsIn,
  },
];

/** dpkg's errors, and the lines around them that give the reason. Of a script that fails dpkg speaks in other words since 1.23. */
const dpkgError =
  /^(?:dpkg: error|dpkg-deb: error|dpkg-deb \(subprocess\): | (?:installed|new|old) .* subprocess (?:returned error|failed|was )| trying to overwrite | \S+ (?:conflicts with|breaks|depends on|pre-depends on) | (?:pre-)?dependency problem| conflicting packages| installing .* would break)/;

/** A call of apt that failed, as a fault. `command` is the call as an admin would type it, without options. */
export function aptFault(output: string, command: string): Fault {
  return faultOf(output, "apt-get", command);
}

export function dpkgFault(output: string, command: string): Fault {
  return faultOf(output, "dpkg", command);
}

function faultOf(output: string, program: string, command: string): Fault {
  const reading = readings.find(({ says }) => says.test(output));
  const fault = new Fault(reading?.code ?? "install-failed", {
    message: `${program} ${command} failed: ${reading?.tells?.(output) ?? errorLines(output, reading?.says)}`,
    hint: reading?.hint(command) ?? `see what it says by hand: \`${program} ${command}\``,
  });
  return orInterrupted(fault, output);
}

/** Who keeps apt or dpkg from its work, where it names it: dpkg names the program since 1.22, and before 1.21 not even the process. */
export function holderIn(output: string): LockHolder | undefined {
  const byApt = /It is held by process (\d+)(?: \(([^)]*)\))?/.exec(output);
  if (byApt !== null) return { pid: Number(byApt[1]), program: byApt[2] };
  const byDpkg = /locked by (?:another|(\S+)) process with pid (\d+)/.exec(output);
  return byDpkg === null ? undefined : { pid: Number(byDpkg[2]), program: byDpkg[1]?.replace(/^.*\//, "") };
}

/** A busy manager's fault, saying who keeps it busy. */
export function namingHolder(fault: Fault, holder: LockHolder | undefined): Fault {
  if (fault.code !== "manager-busy" || holder === undefined) return fault;
  const { pid, program } = holder;
  const named = program === undefined ? `process ${pid}` : `process ${pid} (${quote(program)})`;
  return new Fault("manager-busy", { message: `apt is locked. It is held by ${named}`, hint: fault.hint, cause: fault });
}

/** The first thing that went wrong in a refresh, also in one that older versions of apt call a success. */
export function refreshTrouble(output: string): string | undefined {
  const lines = output.split("\n");
  const trouble =
    lines.find((line) => line.startsWith("E: ")) ??
    lines.find((line) =>
      /^W: (?:Failed to fetch|Some index files failed|GPG error|An error occurred during the signature)/.test(line),
    );
  return trouble === undefined ? undefined : quote(trouble, longestLine);
}

/** The line that was understood; else the last ones that look like errors; else the last one at all. */
function errorLines(output: string, says: RegExp | undefined): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const understood = says === undefined ? undefined : lines.find((line) => says.test(line));
  if (understood !== undefined) return quote(understood, longestLine);
  const errors = lines.filter((line) => line.startsWith("E: ") || dpkgError.test(line));
  const told = (errors.length > 0 ? errors : lines).slice(-mostLines);
  return told.length === 0 ? "it said nothing" : told.map((line) => quote(line, longestLine)).join("; ");
}

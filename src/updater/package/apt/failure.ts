import { databaseHint } from "./database.ts";
import type { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import { faultIn, runAsRoot, waitForIt, type FailureTable, readOnly } from "../failure/failure.ts";
import { interruptedHint } from "../failure/interrupted.ts";
import { culpritsIn } from "./culprits.ts";

/** What a failing apt or dpkg prints in the fixed locale, and what it means. The first match wins. */
const readings: FailureTable["readings"] = [
  { says: /are you root\?|requires superuser privilege/, code: "not-permitted", hint: runAsRoot },
  {
    says: /Could not get lock|Unable to lock|Unable to acquire the dpkg frontend lock|(?:is|was) locked by .* process/,
    code: "manager-busy",
    hint: waitForIt,
  },
  // This is about dpkg itself. For a script that was ended, dpkg has other words.
  { says: /^E: Sub-process \S+ (?:exited unexpectedly|received )/m, code: "interrupted", hint: () => interruptedHint },
  { says: /dpkg was interrupted/, code: "database-broken", hint: () => "type `sudo dpkg --configure -a`" },
  {
    says: /error: parsing file/,
    code: "database-broken",
    hint: () => databaseHint,
  },
  {
    says: /^E: (?:Version '.*' for '.*' was not found|Unable to locate package|Package '.*' has no installation candidate)/m,
    code: "not-offered",
    hint: () => "see what the repositories offer with `apt-cache policy`",
  },
  {
    says: /No space left on device|You don't have enough free space/,
    code: "no-space",
    hint: () =>
      "free some space: `sudo apt-get clean`; `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files",
  },
  readOnly,
  {
    says: /^E: (?:There were unauthenticated packages|Some packages could not be authenticated)/m,
    code: "package-untrusted",
    hint: () => "have the repository signed, and its key named by signed-by in its source",
  },
  {
    // apt prints the second sentence when a fetched file has disappeared. An installation fetches none.
    says: /^E: (?:Failed to fetch|Unable to fetch|The method '\S+' is explicitly disabled)|Hash Sum mismatch|Could not resolve/m,
    code: "download-failed",
    hint: () => "try the repository by hand with `sudo apt-get update`",
  },
  {
    // This is about installed packages: apt makes no plan until they are repaired.
    says: /^E: Unmet dependencies/m,
    code: "plan-refused",
    hint: () =>
      "see what is missing with `apt-get -s --fix-broken install`, and repair it with `sudo apt-get --fix-broken install`",
    tells: culpritsIn,
  },
  {
    says: /^E: (?:Packages need to be removed|Held packages were changed|Packages were downgraded|Essential packages were removed|Unable to satisfy dependencies)|^ \S+ : (?:(?:Pre-?)?Depends|Conflicts|Breaks|Obsoletes): |held broken packages/m,
    code: "plan-refused",
    hint: ({ command }) => `see what stands in the way with \`apt-get -s ${command}\``,
    tells: culpritsIn,
  },
];

/** dpkg's errors and the lines around them with the reason. Since 1.23 dpkg words a failing script differently. */
const dpkgError =
  /^(?:dpkg: error|dpkg-deb: error|dpkg-deb \(subprocess\): | (?:installed|new|old) .* subprocess (?:returned error|failed|was )| trying to overwrite | \S+ (?:conflicts with|breaks|depends on|pre-depends on) | (?:pre-)?dependency problem| conflicting packages| installing .* would break)/;

const table: FailureTable = {
  readings,
  errors: new RegExp(`^E: |${dpkgError.source}`),
  longestLine: 200,
  // A failing package script needs three lines: what failed, how, and apt's summary.
  mostLines: 3,
  mostUnderstood: 1,
};

/** The fault of a failed apt call. `command`: the call as an administrator types it, without options. */
export function aptFault(output: string, command: string): Fault {
  return faultIn(table, { output }, { program: "apt-get", command });
}

export function dpkgFault(output: string, command: string): Fault {
  return faultIn(table, { output }, { program: "dpkg", command });
}

/** Who blocks apt or dpkg, if the output says so. dpkg names the program since 1.22, and no process before 1.21. */
export function holderIn(output: string): LockHolder | undefined {
  const byApt = /It is held by process (\d+)(?: \(([^)]*)\))?/.exec(output);
  if (byApt !== null) return { pid: Number(byApt[1]), program: byApt[2] };
  const byDpkg = /locked by (?:another|(\S+)) process with pid (\d+)/.exec(output);
  return byDpkg === null ? undefined : { pid: Number(byDpkg[2]), program: byDpkg[1]?.replace(/^.*\//, "") };
}

/** The first error of a refresh, which an older apt may call a success. */
export function refreshTrouble(output: string): string | undefined {
  const lines = output.split("\n");
  const trouble =
    lines.find((line) => line.startsWith("E: ")) ??
    lines.find((line) =>
      /^W: (?:Failed to fetch|Some index files failed|GPG error|An error occurred during the signature)/.test(line),
    );
  return trouble === undefined ? undefined : quote(trouble, table.longestLine);
}

import type { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import { faultIn, runAsRoot, tellLines, waitForIt, type Call, type FailureTable, readOnly } from "../failure/failure.ts";
import { cutOff } from "../rpm/largest-file.ts";
import { scriptsIn } from "../rpm/scripts.ts";
import type { Ended } from "../call/result.ts";
import type { YumArguments, YumCalls } from "./calls.ts";

/** What a failing dnf or rpm prints in the fixed locale, and what it means. The first match wins. */
const readings: FailureTable["readings"] = [
  { says: /has to be run with superuser privileges/, code: "not-permitted", hint: runAsRoot },
  {
    says: /already locked by \d+|can't create transaction lock on/,
    code: "manager-busy",
    hint: waitForIt,
  },
  {
    says: /^(?:error|fatal error): .*(?:Packages database|rpmdb)|rpmdb open failed|DB_RUNRECOVERY|Rpmdb checksum is invalid/m,
    code: "database-broken",
    hint: () => "type `sudo rpm --rebuilddb`",
  },
  {
    says: /All matches were filtered out by exclude filtering/,
    code: "plan-refused",
    hint: ({ program }) => `see what excludes it: \`${program} versionlock list\`, and excludepkgs= in /etc/dnf/dnf.conf`,
  },
  {
    says: /^(?:Error: )?(?:Unable to find a match|No match for argument)|No packages marked for reinstall/m,
    code: "not-offered",
    hint: ({ program }) => `see what the repositories offer with \`${program} list --showduplicates\``,
  },
  cutOff,
  {
    // curl prints error 23 if it cannot write a download.
    says: /No space left on device|more space needed on the|needs \d+\s?[KMG]?B on the \S+ filesystem|Curl error \(23\)/,
    code: "no-space",
    hint: ({ program }) =>
      `free some space: \`sudo ${program} clean packages\`; \`df -h /usr /var\` shows how much is left, \`df -i /usr /var\` how many files`,
  },
  readOnly,
  {
    says: /GPG check FAILED|is not signed$|Public key for .* is not installed/m,
    code: "package-untrusted",
    hint: () => "look at the key that signs the repository's packages; if it is the right one, `rpm --import` it",
  },
  {
    says: /Error downloading packages|incorrect checksum|checksum doesn't match|Curl error|All mirrors were tried/i,
    code: "download-failed",
    hint: ({ program }) => `try the repository by hand with \`${program} makecache\``,
  },
  {
    says: /^ +- /m,
    code: "plan-refused",
    hint: ({ program, command }) => `see what stands in the way with \`${program} --assumeno ${command}\``,
  },
  {
    says: /conflicts (?:with file from package|between attempted installs)/,
    code: "plan-refused",
    hint: ({ program, command }) => `see what stands in the way with \`${program} ${command}\``,
  },
];

const table: FailureTable = {
  readings,
  errors: /^(?:Error|error|RPM: error)\b/,
  longestLine: 200,
  // dnf needs a few lines to say what conflicts with what.
  mostLines: 4,
  tidy: (line) => line.replace(/^ *- /, ""),
  tells: scriptError,
};

/** The fault of a failed dnf call. */
export function yumFault(output: string, call: Call): Fault {
  return faultIn(table, { output }, call);
}

/** dnf's answer; throws its fault if it failed. `command`: the question as an administrator types it. */
export async function answerTo(
  { ask, program }: Pick<YumCalls, "ask" | "program">,
  args: YumArguments,
  command: string,
): Promise<Ended> {
  const ended = await ask(args);
  if (ended.status !== 0) throw yumFault(ended.output, { program, command });
  return ended;
}

/** The line about a failed script. dnf ignores a failing script of a package that it installs, except one that runs before the files. */
export function failedScript(output: string): string | undefined {
  const line = output
    .split("\n")
    .find((text) => /^Error in (?:PRETRANS|PREIN|POSTIN|POSTTRANS) scriptlet in rpm package /.test(text));
  return line === undefined ? undefined : (scriptError(output) ?? quote(line, table.longestLine));
}

/** How the first script failed, with the last line that it printed before. */
function scriptError(output: string): string | undefined {
  const isEnd = (text: string): boolean => /^(?:warning|error): %\w+\(.*\) scriptlet failed/.test(text);
  const words = scriptsIn(output);
  const end = words.findIndex(isEnd);
  if (end !== -1) return tellLines(table, words.slice(Math.max(0, end - 1), end + 1));
  const told = output.split("\n").find(isEnd);
  return told === undefined ? undefined : quote(told, table.longestLine);
}

/** Who holds dnf's own lock, in dnf's words. */
export function holderIn(output: string): LockHolder | undefined {
  const pid = /already locked by (\d+)/.exec(output)?.[1];
  const program = /The application with PID \d+ is: (.+)/.exec(output)?.[1];
  return pid === undefined ? undefined : { pid: Number(pid), program };
}

/** The first error of a refresh, even if dnf calls it a success because other repositories worked. */
export function refreshTrouble(output: string): string | undefined {
  const trouble = output.split("\n").find((line) => line.startsWith("Error: Failed to download metadata"));
  return trouble === undefined ? undefined : quote(trouble, table.longestLine);
}

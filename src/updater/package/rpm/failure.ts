import type { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { FileOnHost } from "../manager/manager.ts";
import { faultIn, runAsRoot, waitForIt, whyIn, type Call, type FailureTable, readOnly } from "../failure/failure.ts";

const locked = /can't create transaction lock on .*\(Resource temporarily unavailable\)/;

/** What a failing rpm prints in the fixed locale, and what it means. The first match wins. */
const readings: FailureTable["readings"] = [
  { says: locked, code: "manager-busy", hint: waitForIt },
  { says: /\((?:Permission denied|Operation not permitted)\)/, code: "not-permitted", hint: runAsRoot },
  readOnly,
  {
    says: /^(?:error|fatal error): .*(?:Packages database|rpmdb|Packages index)/m,
    code: "database-broken",
    hint: () => "type `sudo rpm --rebuilddb`",
  },
  { says: /^error: Failed dependencies:$|^\t\S.* (?:is needed by|conflicts with) /m, code: "plan-refused", hint: rehearse },
  { says: /conflicts (?:with file from package|between attempted installs)/, code: "plan-refused", hint: rehearse },
  {
    says: /No space left on device|Disk quota exceeded|needs \d+\s?[KMG]?B? .*on the \S+ filesystem/,
    code: "no-space",
    hint: () => "free some space: `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files",
  },
  { says: /does not verify: (?:no signature|.*NOKEY)/, code: "package-untrusted", hint: () => "see `rpm -q gpg-pubkey`" },
  {
    says: /does not verify|cannot be installed$|not an rpm package|^error: open of .* failed/m,
    code: "file-failed",
    hint: () => "remove the file, and have the package downloaded once more",
  },
];

const table: FailureTable = {
  readings,
  errors: /^(?:error|warning): /,
  longestLine: 200,
  // rpm prints a line for each missing dependency.
  mostLines: 4,
  tidy: (line) => line.replace(/^error: Failed dependencies:$/, ""),
};

/** The fault of a failed rpm call. `command`: the call as an administrator types it. */
export function rpmFault(output: string, command: string): Fault {
  return faultIn(table, { output }, { program: "rpm", command });
}

/** Why rpm would refuse a change that it was only asked about. */
export function refusalIn(output: string): string {
  return whyIn(table, output);
}

/** Whether rpm gave up because of a lock, which it does at once unless it runs on a terminal. */
export function isLocked(output: string): boolean {
  return locked.test(output);
}

/** What rpm prints for a failed script, whether it is for the shell or in rpm's own language. */
const failedScripts: readonly RegExp[] = [
  /^(?:warning|error): %(\w+)\((.*)\) scriptlet failed/,
  /^error: lua script failed: \[string "%(\w+)\((.*)\)"\]/,
];
const scriptsOfInstallation: ReadonlySet<string> = new Set(["pretrans", "pre", "prein", "post", "postin", "posttrans"]);

/** The line about a failed script. rpm ignores a failing script of a package that it installs, except one that runs before the files. */
export function failedScript(output: string, { name, version }: Pick<FileOnHost, "name" | "version">): string | undefined {
  const line = output.split("\n").find((text) =>
    failedScripts.some((pattern) => {
      const [, script = "", instance = ""] = pattern.exec(text) ?? [];
      return scriptsOfInstallation.has(script) && instance.startsWith(`${name}-${version}.`);
    }),
  );
  return line === undefined ? undefined : quote(line, table.longestLine);
}

function rehearse({ command }: Call): string {
  return `see what stands in the way with \`rpm --test ${command}\``;
}

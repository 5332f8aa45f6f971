import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { readOnly, faultIn, heldBy, runAsRoot, tellLines, waitForIt, type Call, type FailureTable } from "../failure/failure.ts";
import type { Ended } from "../call/result.ts";
import { interruptedHint } from "../failure/interrupted.ts";
import { cutOff } from "../rpm/largest-file.ts";
import { scriptsIn } from "../rpm/scripts.ts";
import { withoutQuestions } from "./questions.ts";

export type FailedZypper = Pick<Ended, "status" | "output">;

/** Whether rpm alone holds its lock. zypper waits for its own lock, but not for rpm's. */
export function isRpmLocked({ output }: FailedZypper): boolean {
  return output.includes("can't create transaction lock on");
}

const noRepositories = 6;
const signed = "have the repository and its packages signed, with a key that this host trusts: `rpm -q gpg-pubkey` lists those";

/** What a failing zypper prints in the fixed locale, and what it means. The first match wins. */
const readings: FailureTable["readings"] = [
  {
    says: /^This is a transactional-server/m,
    code: "host-unsupported",
    hint: () => "on such a host packages are upgraded together with the whole system, for example by `transactional-update`",
  },
  { ...readOnly, says: /^The target filesystem is mounted as read-only/m },
  {
    // Matches the message's first two lines, because only the second names the file.
    says: /^Problem occurred while reading the installed packages|^(?:Error reading|Can't open) solv-file: /m,
    code: "os-failed",
    hint: () => "have zypper rebuild its caches: `sudo rm -r /var/cache/zypp/solv`, then `sudo zypper refresh`",
  },
  { says: /^Root privileges are required/m, status: 5, code: "not-permitted", hint: runAsRoot },
  {
    says: /^System management is locked|can't create transaction lock on/m,
    status: 7,
    code: "manager-busy",
    hint: waitForIt,
    message: lockedBy,
  },
  {
    says: /^New repository or package signing key received/m,
    code: "package-untrusted",
    hint: () => "compare the key's fingerprint with its owner's, then type `sudo zypper refresh` and trust it always",
    message: untrustedKey,
  },
  {
    says: /Signature verification failed|^(?:Warning: )?File '.*' is (?:unsigned|signed with an unknown key)|Package (?:header )?is not signed!|: NOKEY$/m,
    code: "package-untrusted",
    hint: () => signed,
    message: untrustedKey,
  },
  // This means that rpm itself was killed. A killed script has other words.
  { says: /RPM failed: Command was killed by signal/, code: "interrupted", hint: () => interruptedHint },
  { says: /scriptlet failed/, status: 107, code: "install-failed" },
  cutOff,
  {
    // A download prints the last three when the file system of the caches is full.
    says: /No space left on device|installing package .* needs |Can't hardlink\/copy|Can't create \/|Failure writing output/,
    code: "no-space",
    hint: () =>
      "free some space: `sudo zypper clean --all`; `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files",
  },
  {
    says: /^(?:(?:Warning: )?Argument resolves to no package|Package '.*' not found|'.*' not found in package names|No provider of '.*' found)/m,
    status: 104,
    code: "not-offered",
    hint: () => "see what the repositories offer with `zypper search -s`",
  },
  {
    says: /need for license confirmation/,
    code: "plan-refused",
    hint: ({ command }) => `read the licences and agree to them by hand: \`sudo zypper ${command}\``,
  },
  { says: /remove lock to allow/, code: "plan-refused", hint: () => "see what is locked with `zypper locks`" },
  // These lines say what blocks the plan, and what a solution would remove.
  { says: /^Problem: |^ *Solution \d+: deinstallation of/m, code: "plan-refused", hint: lookAtPlan },
  { says: /^Detected \d+ file conflict|^File \/|\(@System\)$/m, code: "plan-refused", hint: lookAtPlan },
  {
    says: /^Download \(curl\) error|^Error message: |^Downloaded data exceeded|verification failed|^Wrong (?:checksum|digest)|Can't provide file|not found on medium|^Timeout exceeded|Valid metadata not found|temporarily unaccessible/m,
    code: "download-failed",
    hint: () => "try the repositories by hand with `sudo zypper refresh`",
  },
  {
    says: /^(?:Warning: )?No repositories defined/m,
    status: noRepositories,
    code: "not-offered",
    hint: () => "see which repositories are there and enabled with `zypper lr`",
    message: (_output, status) =>
      status === noRepositories ? "zypper has no repository: none is enabled on this host" : undefined,
  },
  // With these statuses zypper has changed nothing, for a reason that may pass.
  { status: 4, code: "download-failed" },
  { status: 106, code: "download-failed" },
];

const table: FailureTable = {
  readings,
  errors: /^(?:error: |Error: |Installation of .* failed)/,
  longestLine: 240,
  // A failing package script takes three lines: what failed, how, and zypper's summary.
  mostLines: 3,
  before: lastWords,
};

/** The fault of a failed zypper call. `command`: the call as an administrator types it. */
export function zypperFault({ status, output }: FailedZypper, command: string): Fault {
  return faultIn(table, { status, output: withoutQuestions(output) }, { program: "zypper", command });
}

/** The fault of a failed refresh: `refresh-failed` if a repository is the reason. */
export function refreshFault(failed: FailedZypper): Fault {
  const fault = zypperFault(failed, "refresh");
  if (fault.code !== "download-failed" && fault.code !== "install-failed") return fault;
  return new Fault("refresh-failed", {
    message: `the package lists could not be refreshed: ${trouble(withoutQuestions(failed.output))}`,
    hint: "try it by hand: `sudo zypper refresh`",
  });
}

function lookAtPlan({ command }: Call): string {
  return `look at the whole plan with \`sudo zypper ${command.replace(/^install/, "install --dry-run --details")}\``;
}

function lockedBy(output: string): string | undefined {
  const holder = /^System management is locked by the application with pid (\d+)(?: \((.*)\))?\.$/m.exec(output);
  return holder === null ? undefined : heldBy("zypper", { pid: Number(holder[1]), program: holder[2] });
}

/** zypper prints a table: the repository, the key's owner, and its fingerprint. */
function untrustedKey(output: string): string | undefined {
  const field = (name: string): string | undefined => new RegExp(`^ *${name}: +(\\S.*)$`, "m").exec(output)?.[1];
  const [repository, owner, fingerprint] = [field("Repository"), field("Key Name"), field("Key Fingerprint")];
  if (repository === undefined || fingerprint === undefined) return undefined;
  const whose = owner === undefined ? "" : ` of ${quote(owner)}`;
  return `the repository ${quote(repository)} is signed with a key that this host does not trust: ${quote(fingerprint)}${whose}`;
}

/** Why a refresh failed, from the lines about a repository. */
function trouble(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const named = lines.filter((line) => /^\[[^|\]]+\|.*\] |^Error message: |^Repository '.*' not found/.test(line));
  return tellLines(table, named.length > 0 ? named : lines.slice(-table.mostLines));
}

/** The last line that a script printed before the line about its failure. */
function lastWords(output: string, understood: readonly string[]): readonly string[] {
  const words = scriptsIn(output);
  const end = words.findIndex((line) => understood.includes(line));
  return end < 1 ? [] : words.slice(end - 1, end);
}

import { Fault } from "../../fault/fault.ts";
import { quote } from "../../fault/quote.ts";
import type { FaultCode } from "../../fault/table.ts";
import type { LockHolder } from "../../host/lock-holder.ts";
import { readOnly } from "../read-only.ts";
import type { Ended } from "../result.ts";
import { interruptedHint, orInterrupted } from "../interrupted.ts";
import { cutOff } from "../rpm/largest-file.ts";
import { scriptsIn } from "../rpm/scripts.ts";
import { withoutQuestions } from "./questions.ts";

export type Failed = Pick<Ended, "status" | "output">;

/** zypper waits for its own lock; at rpm's, which a plain rpm takes, it gives up. */
export function isRpmLocked({ output }: Failed): boolean {
  return output.includes("can't create transaction lock on");
}

/** Enough for zypper's own sentence with a path and an address in it. */
const longestLine = 240;
/** A failing package script needs three: what failed, how, and zypper's summary. */
const mostLines = 3;

type Reading = {
  readonly says: RegExp;
  /** Where the status alone is enough. */
  readonly status?: number;
  readonly code: FaultCode;
  readonly hint: (command: string) => string;
};

const noRepositories = 6;
const signed = "have the repository and its packages signed, with a key that this host trusts: `rpm -q gpg-pubkey` lists those";

/** What a failing zypper says, in the fixed locale, and what it means. The first that matches wins. */
const readings: readonly Reading[] = [
  {
    says: /^This is a transactional-server/m,
    code: "host-unsupported",
    hint: () => "on such a host packages are upgraded together with the whole system, for example by `transactional-update`",
  },
  { ...readOnly, says: /^The target filesystem is mounted as read-only/m },
  {
    // The first two lines of it: only the second names the file.
    says: /^Problem occurred while reading the installed packages|^(?:Error reading|Can't open) solv-file: /m,
    code: "os-failed",
    hint: () => "have zypper rebuild its caches: `sudo rm -r /var/cache/zypp/solv`, then `sudo zypper refresh`",
  },
  { says: /^Root privileges are required/m, status: 5, code: "not-permitted", hint: () => "run this as root" },
  {
    says: /^System management is locked|can't create transaction lock on/m,
    status: 7,
    code: "manager-busy",
    hint: () => "wait for it to end; the next pass tries again",
  },
  {
    says: /^New repository or package signing key received/m,
    code: "package-untrusted",
    hint: () => "compare the key's fingerprint with its owner's, then type `sudo zypper refresh` and trust it always",
  },
  {
    says: /Signature verification failed|^(?:Warning: )?File '.*' is (?:unsigned|signed with an unknown key)|Package (?:header )?is not signed!|: NOKEY$/m,
    code: "package-untrusted",
    hint: () => signed,
  },
  // rpm itself; of its scripts it tells in other words.
  { says: /RPM failed: Command was killed by signal/, code: "interrupted", hint: () => interruptedHint },
  { says: /scriptlet failed/, status: 107, code: "install-failed", hint: byHand },
  cutOff,
  {
    // The last three are of a download: the first file system to be full is the one with the caches.
    says: /No space left on device|installing package .* needs |Can't hardlink\/copy|Can't create \/|Failure writing output/,
    code: "no-space",
    hint: () => "free some space: `zypper clean --all`, then see `df -h`",
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
    hint: (command) => `read the licences and agree to them by hand: \`sudo zypper ${command}\``,
  },
  { says: /remove lock to allow/, code: "plan-refused", hint: () => "see what is locked with `zypper locks`" },
  // What stands in the way, and what a way out would cost.
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
  },
];

/** Statuses by which zypper gives up before it changes anything, for a reason that may pass. */
const beforehand: readonly number[] = [4, 106];

/** A call of zypper that failed, as a fault. `command` is the call as an admin would type it. */
export function zypperFault(failed: Failed, command: string): Fault {
  const { status } = failed;
  const output = withoutQuestions(failed.output);
  const reading = readings.find(({ says }) => says.test(output)) ?? readings.find((known) => known.status === status);
  const code = reading?.code ?? (beforehand.includes(status) ? "download-failed" : "install-failed");
  const hint = reading?.hint ?? byHand;
  const fault = new Fault(code, { message: messageOf({ status, output }, command, reading), hint: hint(command) });
  return orInterrupted(fault, output);
}

/** A busy manager's fault, saying who keeps it busy where that is known. */
export function namingHolder(fault: Fault, holder: LockHolder | undefined): Fault {
  if (holder === undefined) return fault;
  return new Fault(fault.code, { message: heldBy(holder), hint: fault.hint, cause: fault });
}

/** What a refresh did not manage: its own fault, where the repository is the reason. */
export function refreshFault(failed: Failed): Fault {
  const fault = zypperFault(failed, "refresh");
  if (fault.code !== "download-failed" && fault.code !== "install-failed") return fault;
  return new Fault("refresh-failed", {
    message: `the package lists could not be refreshed: ${trouble(withoutQuestions(failed.output))}`,
    hint: "try it by hand: `sudo zypper refresh`",
  });
}

function byHand(command: string): string {
  return `see what it says by hand: \`sudo zypper ${command}\``;
}

function lookAtPlan(command: string): string {
  return `look at the whole plan with \`sudo zypper ${command.replace(/^install/, "install --dry-run --details")}\``;
}

function messageOf({ status, output }: Failed, command: string, reading: Reading | undefined): string {
  const holder = /^System management is locked by the application with pid (\d+)(?: \((.*)\))?\.$/m.exec(output);
  if (holder !== null) return heldBy({ pid: Number(holder[1]), program: holder[2] });
  if (status === noRepositories) return "zypper has no repository: none is enabled on this host";
  const key = untrustedKey(output);
  if (reading?.code === "package-untrusted" && key !== undefined) return key;
  // A download that failed has a status of success.
  const ended = status === 0 ? "" : ` with status ${status}`;
  return `zypper ${command} failed${ended}: ${telling(output, reading?.says)}`;
}

function heldBy({ pid, program }: LockHolder): string {
  return `zypper is locked. It is held by process ${pid}${program === undefined ? "" : ` (${quote(program)})`}`;
}

/** zypper tells of it in a table: what offers it, whose it is, and its fingerprint. */
function untrustedKey(output: string): string | undefined {
  const field = (name: string): string | undefined => new RegExp(`^ *${name}: +(\\S.*)$`, "m").exec(output)?.[1];
  const [repository, owner, fingerprint] = [field("Repository"), field("Key Name"), field("Key Fingerprint")];
  if (repository === undefined || fingerprint === undefined) return undefined;
  const whose = owner === undefined ? "" : ` of ${quote(owner)}`;
  return `the repository ${quote(repository)} is signed with a key that this host does not trust: ${quote(fingerprint)}${whose}`;
}

/** In a refresh the reason stands below the name of its repository. */
function trouble(output: string): string {
  const lines = linesOf(output);
  const named = lines.filter((line) => /^\[[^|\]]+\|.*\] |^Error message: |^Repository '.*' not found/.test(line));
  return told(named.length > 0 ? named : lines.slice(-mostLines));
}

/** The lines that were understood; else the last that look like errors; else the last at all. */
function telling(output: string, says: RegExp | undefined): string {
  const lines = linesOf(output);
  const understood = says === undefined ? [] : lines.filter((line) => says.test(line));
  if (understood.length > 0) return told([...lastWords(output, understood), ...understood]);
  const errors = lines.filter((line) => /^(?:error: |Error: |Installation of .* failed)/.test(line));
  return told((errors.length > 0 ? errors : lines).slice(-mostLines));
}

/** The last that a script printed before the line that says that it failed. */
function lastWords(output: string, understood: readonly string[]): readonly string[] {
  const words = scriptsIn(output);
  const end = words.findIndex((line) => understood.includes(line));
  return end < 1 ? [] : words.slice(end - 1, end);
}

function linesOf(output: string): readonly string[] {
  return output.split("\n").filter((line) => line.trim() !== "");
}

function told(lines: readonly string[]): string {
  const some = [...new Set(lines)].slice(0, mostLines);
  return some.length === 0 ? "it said nothing" : some.map((line) => quote(line.trim(), longestLine)).join("; ");
}

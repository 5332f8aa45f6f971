import { databaseBelow, inspectAllArgv } from "./database.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { FileSet } from "../manager/manager.ts";
import type { AptCalls } from "./calls.ts";
import { dpkgFault } from "./failure.ts";
import { installedAmong } from "./installed.ts";
import { complaintsIn } from "./complaints.ts";
import { pathsIn, rehearseFilesArgv, simulateFilesArgv, type FileChange } from "./offline-argv.ts";
import { parsePlan } from "./plan.ts";

/** Enough for one sentence of dpkg or apt in a message. */
const longestSentence = 200;

/**
 * Refuses files that apt would refuse from a repository. dpkg alone overrides a hold, removes what the file conflicts with and replaces, and ignores
 * packages that depend on this one.
 */
export async function refuseFiles(calls: Pick<AptCalls, "ask" | "actOffline">, wanted: FileChange): Promise<void> {
  const held = await heldIn(calls, wanted);
  if (held !== undefined) throw refused(wanted, `would lift the hold on ${held}`);
  const { status, stdout, output } = await calls.ask(simulateFilesArgv(wanted));
  const reason = reasonIn(output, wanted.files);
  if (reason !== undefined) throw refused(wanted, `fails: ${quote(reason, longestSentence)}`);
  const removed = status === 0 ? parsePlan(stdout).removed : await rehearse(calls, wanted);
  if (removed.length > 0) throw refused(wanted, `would remove ${removed.join(", ")}`);
}

async function heldIn({ ask }: Pick<AptCalls, "ask">, { root, change, files }: FileChange): Promise<PackageName | undefined> {
  const names = files.map(({ name }) => name);
  const found = installedAmong(await ask(inspectAllArgv(names, databaseBelow(root))), names);
  return names.find((name, at) => {
    const one = found[at];
    return one?.kind === "present" && one.isHeld && !(name === change.name && change.hold === "lifted");
  });
}

/**
 * Why apt objects to the files, or to packages because of them: a package that stays may exclude a new one. If another package lacks something, or
 * this one is half installed, apt makes no plan at all; that is no objection.
 */
function reasonIn(output: string, files: FileSet): string | undefined {
  if (/^E: Unmet dependencies/m.test(output)) return undefined;
  const names = new Set<string>(files.map(({ name }) => name));
  const complaint = complaintsIn(output).find(({ requirer, name }) => names.has(requirer) || names.has(name));
  return complaint?.said ?? output.split("\n").find((line) => line.startsWith("E: Packages were downgraded"));
}

/** Simulates with dpkg what it would remove. Uses a transaction, because only root with all its rights can read the file as dpkg does. */
async function rehearse({ actOffline }: Pick<AptCalls, "actOffline">, wanted: FileChange): Promise<readonly string[]> {
  const { status, output } = await actOffline(rehearseFilesArgv(wanted), `rehearse dpkg --install ${typed(wanted)}`);
  if (status !== 0) throw refusedByDpkg(wanted, output);
  const isSkipped = /^dpkg: will not downgrade .*$/m.exec(output);
  if (isSkipped !== null) throw refused(wanted, `fails: ${quote(isSkipped[0], longestSentence)}`);
  const lacks = lackedBefore(output, wanted.files);
  if (lacks !== undefined) throw refused(wanted, `fails: ${quote(lacks, longestSentence)}`);
  return [...output.matchAll(/^dpkg: yes, will remove (\S+) in favour of /gm)].map(([, name = ""]) => name);
}

/** Finds a pre-dependency that none of the files provides. */
function lackedBefore(output: string, files: FileSet): string | undefined {
  const names = new Set<string>(files.map(({ name }) => name));
  return [...output.matchAll(/^ \S+ pre-depends on (.+)$/gm)].find(
    ([, needed = ""]) => !needed.split(" | ").some((one) => names.has(one.replace(/[ :].*$/, ""))),
  )?.[0];
}

function refusedByDpkg(wanted: FileChange, output: string): Fault {
  const fault = dpkgFault(output, `--no-act --install ${typed(wanted)}`);
  return fault.code === "install-failed" ? planRefused(wanted, fault.message) : fault;
}

function refused(wanted: FileChange, would: string): Fault {
  const { change, files } = wanted;
  const whose = files.length === 1 ? "its file" : `its file and ${files.length - 1} more`;
  return planRefused(wanted, `installing ${change.name} ${change.to} from ${whose} ${would}`);
}

function planRefused(wanted: FileChange, message: string): Fault {
  return new Fault("plan-refused", { message, hint: `look at the whole plan with \`apt-get -s install ${typed(wanted)}\`` });
}

function typed({ files }: FileChange): string {
  return pathsIn(files).join(" ");
}

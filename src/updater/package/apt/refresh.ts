import { asFault } from "../../../rules/fault/explain.ts";
import { Fault, type AnyFaultCode } from "../../../rules/fault/fault.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { indexesArgv, listsArgv, refreshAllArgv, refreshArgv, boundedArgv, type Argv } from "./argv.ts";
import { askPolicy } from "./ask-policy.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault, holderIn, refreshTrouble } from "./failure.ts";
import { offersOf, sourceFilesOf } from "./policy.ts";
import { listsFrom, spoiltLists, type Look } from "./spoilt-lists.ts";
import { namingHolder } from "../failure/failure.ts";
import { roomAt } from "../../../machine/files/free-space.ts";
import type { Ended } from "../call/result.ts";
import { largestFile } from "../rpm/largest-file.ts";

/**
 * Refreshes the lists. Removes those that a power cut damaged: otherwise apt trusts them until the repository has something newer, and offers only
 * what is left in them.
 */
export async function refresh(calls: AptCalls, name: PackageName): Promise<void> {
  const cut = await removeSpoilt(calls, "by their sizes");
  try {
    return await (cut === "removed" ? refreshAll(calls, name) : refreshOffering(calls, name));
  } catch (thrown) {
    const fault = asFault(thrown);
    if (leaveLists.has(fault.code) || (await removeSpoilt(calls, "by their contents")) === "none") throw asRefresh(fault);
  }
  await refreshAll(calls, name);
}

/** After these faults the lists stay, because the faults say nothing about them. */
const leaveLists: ReadonlySet<AnyFaultCode> = new Set([
  "manager-busy",
  "busy",
  "no-space",
  "not-permitted",
  "interrupted",
  "bug",
]);

async function removeSpoilt(calls: AptCalls, how: Look): Promise<"removed" | "none"> {
  const directory = listsFrom((await calls.ask(listsArgv())).stdout);
  const spoilt = await spoiltLists(directory, how);
  if (spoilt.length === 0) return "none";
  await calls.actOffline(["rm", "-f", ...spoilt.map((list) => `${directory}${list}`)], "remove damaged package lists");
  return "removed";
}

/** Refreshes only the sources that offer the package, so that another dead one does not matter. */
async function refreshOffering(calls: AptCalls, name: PackageName): Promise<void> {
  const indexes = await calls.ask(indexesArgv());
  const files = sourceFilesOf(await askPolicy(calls, name), indexes.stdout);
  if (files.length === 0) return refreshAll(calls, name);
  for (const file of files) {
    const { status, output } = await update(calls, refreshArgv(file), `refresh ${file}`);
    if (status !== 0 || refreshTrouble(output) !== undefined) throw refreshFault(output, `the package lists of ${file}`);
  }
}

/** Refreshes all sources, because none is known to offer the package. A dead one matters only if none offers it afterwards. */
async function refreshAll(calls: AptCalls, name: PackageName): Promise<void> {
  const { status, output } = await update(calls, refreshAllArgv(), "refresh all package lists");
  if (status !== 0) throw refreshFault(output, "the package lists");
  if (refreshTrouble(output) === undefined || offersOf(await askPolicy(calls, name)).length > 0) return;
  throw refreshFault(output, "the package lists");
}

/** A failed refresh has installed nothing, so it is never the fault `install-failed`. */
function asRefresh(fault: Fault): Fault {
  if (fault.code !== "install-failed" && fault.code !== "download-failed") return fault;
  return new Fault("refresh-failed", { message: fault.message, hint: fault.hint, cause: fault });
}

function refreshFault(output: string, what: string): Fault {
  const fault = aptFault(output, "update");
  if (fault.code === "manager-busy" || fault.code === "no-space" || fault.code === "not-permitted")
    return namingHolder(fault, holderIn(output), "apt");
  return new Fault("refresh-failed", {
    message: `${what} could not be refreshed: ${refreshTrouble(output) ?? fault.message}`,
    hint: "try it by hand: `sudo apt-get update`",
  });
}

/** What stays free for the rest of the host, and for the record of this pass. */
const leftFree: number = 64 * 1024 * 1024;
/** The lowest limit: a large distribution's lists need as much. */
const smallest: number = 16 * 1024 * 1024;

/**
 * Refreshes with a limit on file sizes, because apt trusts a repository that names no length, and would fill the disk. Removes what an ended program
 * left, or the next refresh would continue it.
 */
export async function update(calls: AptCalls, argv: Argv, what: string): Promise<Ended> {
  const lists = listsFrom((await calls.ask(listsArgv())).stdout);
  const limit = limitFor(roomAt(lists).freeBytes);
  const ended = await calls.act(boundedArgv(limit, argv), what);
  if (!leavesParts(ended.output)) return ended;
  await calls.actOffline(["find", `${lists}partial`, "-type", "f", "-delete"], "remove unfinished downloads of package lists");
  if (!isCutOff(ended.output)) return ended;
  const words = `E: more than ${Math.floor(limit / 1024 ** 2)} MiB came for one file, and the download was ended there`;
  return { ...ended, status: ended.status === 0 ? 100 : ended.status, output: `${words}\n${ended.output}` };
}

export function limitFor(freeBytes: number): number {
  return Math.max(smallest, Math.min(largestFile, freeBytes - leftFree));
}

/** Whether parts of files are left that fill the disk, or that no later refresh could continue. */
export function leavesParts(output: string): boolean {
  return isCutOff(output) || /File has unexpected size|No space left on device/.test(output);
}

/** Whether this limit ended one of apt's methods, or made apt's own write fail. */
export function isCutOff(output: string): boolean {
  return /received signal 25\b|Method \S+ has died unexpectedly|File too large/.test(output);
}

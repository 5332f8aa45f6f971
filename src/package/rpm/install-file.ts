import { Fault } from "../../fault/fault.ts";
import { quote } from "../../fault/quote.ts";
import { orInterrupted } from "../interrupted.ts";
import type { Change } from "../manager.ts";
import { actWhenFree } from "./act-when-free.ts";
import type { RpmCalls } from "./calls.ts";
import { failedScript, rpmFault } from "./failure.ts";
import type { InstalledRow } from "./installed.ts";
import { makeWay, strikeOut } from "./make-way.ts";
import { mend } from "./mend.ts";
import { readHeader } from "./package-files.ts";
import { refuseRemovals } from "./refuse-removals.ts";
import { packageVersionOf } from "./version.ts";

/**
 * By rpm and not by the manager above it, whose lists, caches and locks may be in any state. It takes the place of every other
 * instance, a higher one too, and does nothing where somebody depends on what would go.
 */
export async function installFile(calls: RpmCalls, change: Change, file: string): Promise<void> {
  await mend(calls, change.name);
  await refuseOther(calls, change, file);
  await refuseRemovals(calls, change, file);
  await makeWay(calls, change);
  const typed = `-U --oldpackage --replacepkgs ${file}`;
  const args = ["-U", "-v", "--oldpackage", "--replacepkgs", file];
  const before = (await calls.rows(change.name)).at(-1)?.instance ?? 0;
  const { status, output } = await actWhenFree(calls, args, typed);
  const script = failedScript(output, change);
  if (script !== undefined) throw scriptFailed(change, script);
  const found = await calls.rows(change.name);
  const isInPlace = found.some((row) => row.instance > before && packageVersionOf(row) === change.to);
  if (!isInPlace) throw status === 0 ? notDone(change, found, output) : rpmFault(output, typed);
  if (found.length === 1) return;
  // A version whose script refuses to be removed stays beside the one that has taken its place.
  await strikeOut(calls, change.name);
  const left = await calls.rows(change.name);
  if (left.length > 1) throw notDone(change, left, output);
}

/** What is no package at all, rpm refuses in words of its own. */
async function refuseOther({ ask }: RpmCalls, { name, to }: Change, file: string): Promise<void> {
  const header = await readHeader(ask, file);
  if (header === undefined || (header.name === name && header.version === to)) return;
  throw new Fault("file-failed", {
    message: `${file} is ${header.name} ${header.version}, and not ${name} ${to}`,
    hint: "remove the file, and have the package downloaded once more",
  });
}

function scriptFailed({ name, to }: Change, script: string): Fault {
  const fault = new Fault("install-failed", {
    message: `a script of ${name} ${to} failed: ${script}`,
    hint: "the log of this pass has what the script printed; a version whose scripts work has to be served",
  });
  return orInterrupted(fault, script);
}

/** rpm counts as a success what it did not do. */
function notDone({ name, to }: Change, rows: readonly InstalledRow[], output: string): Fault {
  const found = rows.map(packageVersionOf).join(" and ") || "nothing";
  return new Fault("install-failed", {
    message: `${name} ${to} was not installed from its file: installed is ${found}, and rpm says ${quote(output.trim(), 200) || "nothing"}`,
    hint: `see \`rpm -q ${name}\``,
  });
}

import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { orInterrupted } from "../failure/interrupted.ts";
import type { Change, FileOnHost, FileSet } from "../manager/manager.ts";
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
 * Installs all files in one transaction. Uses rpm and not its manager, whose lists, caches and locks may be in any state. The files replace every
 * other instance, even a higher one. Nothing happens if another package depends on what would be removed.
 */
export async function installFiles(calls: RpmCalls, change: Change, files: FileSet): Promise<void> {
  await mend(
    calls,
    files.map(({ name }) => name),
  );
  for (const file of files) await refuseOther(calls, file);
  await refuseRemovals(calls, change, files);
  for (const file of files) await makeWay(calls, file);
  const typed = `-U --oldpackage --replacepkgs ${files.map(({ path }) => path).join(" ")}`;
  const args = ["-U", "-v", "--oldpackage", "--replacepkgs", ...files.map(({ path }) => path)];
  const before = new Map<string, number | undefined>();
  for (const { name } of files) before.set(name, (await calls.rows(name)).at(-1)?.instance);
  const { status, output } = await actWhenFree(calls, args, typed);
  for (const file of files) refuseFailedScript(file, output);
  for (const file of files) {
    const rows = await calls.rows(file.name);
    const last = before.get(file.name) ?? 0;
    const isInPlace = rows.some((row) => row.instance > last && packageVersionOf(row) === file.version);
    if (!isInPlace) throw status === 0 ? notDone(file, rows, output) : rpmFault(output, typed);
  }
  for (const file of files) await leaveOne(calls, file, output);
}

/** Refuses a file of another package or version. If a file is no package, rpm says so itself. */
async function refuseOther({ ask }: RpmCalls, { name, version, path }: FileOnHost): Promise<void> {
  const header = await readHeader(ask, path);
  if (header === undefined || (header.name === name && header.version === version)) return;
  throw new Fault("file-failed", {
    message: `${path} is ${header.name} ${header.version}, and not ${name} ${version}`,
    hint: "remove the file, and have the package downloaded once more",
  });
}

function refuseFailedScript(file: FileOnHost, output: string): void {
  const script = failedScript(output, file);
  if (script === undefined) return;
  const fault = new Fault("install-failed", {
    message: `a script of ${file.name} ${file.version} failed: ${script}`,
    hint: "the log of this pass has what the script printed; a version whose scripts work has to be served",
  });
  throw orInterrupted(fault, script);
}

/** Removes the other instance. If a version's script refuses its removal, that version stays beside the new one. */
async function leaveOne(calls: RpmCalls, file: FileOnHost, output: string): Promise<void> {
  if ((await calls.rows(file.name)).length === 1) return;
  await strikeOut(calls, file.name);
  const left = await calls.rows(file.name);
  if (left.length > 1) throw notDone(file, left, output);
}

/** The fault of a call that did nothing, although rpm may have reported success. */
function notDone({ name, version }: FileOnHost, rows: readonly InstalledRow[], output: string): Fault {
  const found = rows.map(packageVersionOf).join(" and ") || "nothing";
  return new Fault("install-failed", {
    message: `${name} ${version} was not installed from its file: installed is ${found}, and rpm says ${quote(output, 200) || "nothing"}`,
    hint: `see \`rpm -q ${name}\``,
  });
}

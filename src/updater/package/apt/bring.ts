import type { Change, Planned } from "../manager/manager.ts";
import { refuseMislabelled, type PackageFile } from "../failure/refuse-mislabelled.ts";
import { controlArgv, controlFileArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { download } from "./download.ts";
import { aptFault } from "./failure.ts";
import { offeredFiles } from "./offered-file.ts";

/**
 * Fetches the files and compares each file's own name and version with the list. apt compares only its hash with the signed list, and dpkg installs
 * any file.
 */
export async function bring(calls: AptCalls, { name, to }: Change, planned: readonly Planned[]): Promise<void> {
  if (planned.length === 0) return;
  const { status, stdout, output } = await calls.ask(controlArgv(planned));
  if (status !== 0) throw aptFault(output, `show ${name}=${to}`);
  const paths = await download(calls, { name, version: to, beside: planned }, offeredFiles(stdout, planned));
  const files = await Promise.all(paths.map(async (path): Promise<PackageFile> => ({ path, is: await readFile(calls, path) })));
  refuseMislabelled(planned, files);
}

async function readFile({ ask }: AptCalls, path: string): Promise<Planned | undefined> {
  return packageIn((await ask(controlFileArgv(path))).stdout);
}

/**
 * Reads a package file's control data. Refuses two control files, or two names in one: dpkg might read the other. No repository offers such a file.
 */
export function packageIn(control: string): Planned | undefined {
  const field = (key: string): string | undefined => {
    const [value, ...others] = [...control.matchAll(new RegExp(`^${key}:[ \\t]*(\\S+)[ \\t]*$`, "gim"))].map((match) => match[1]);
    return others.length === 0 ? value : undefined;
  };
  const [name, version, architecture] = [field("Package"), field("Version"), field("Architecture")];
  if (name === undefined || version === undefined || architecture === undefined) return undefined;
  return { name, version, architecture };
}

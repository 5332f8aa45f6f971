import type { Change, Planned } from "../manager/manager.ts";
import { refuseMislabelled, type PackageFile } from "../failure/refuse-mislabelled.ts";
import { controlArgv, controlFileArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { download } from "./download.ts";
import { aptFault } from "./failure.ts";
import { offeredFiles } from "./offered-file.ts";

/**
 * apt compares a file's hash with the signed list, but nobody compares the list's name and version with the file's own: dpkg installs any
 * file.
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

/** No repository offers a file with two control files, or two names in one: dpkg might take the other one. */
export function packageIn(control: string): Planned | undefined {
  const field = (key: string): string | undefined => {
    const [value, ...others] = [...control.matchAll(new RegExp(`^${key}:[ \\t]*(\\S+)[ \\t]*$`, "gim"))].map((match) => match[1]);
    return others.length === 0 ? value : undefined;
  };
  const [name, version, architecture] = [field("Package"), field("Version"), field("Architecture")];
  if (name === undefined || version === undefined || architecture === undefined) return undefined;
  return { name, version, architecture };
}

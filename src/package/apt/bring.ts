import type { Change, Planned } from "../manager.ts";
import { refuseMislabelled, type PackageFile } from "../refuse-mislabelled.ts";
import { controlArgv, fieldsArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { download } from "./download.ts";
import { aptFault } from "./failure.ts";
import { offeredFiles } from "./offered-file.ts";

/**
 * apt compares a file's hash with the signed list's, and nobody compares what the list says of the file with what the file says
 * of itself: dpkg installs whatever it is.
 */
export async function bring(calls: AptCalls, { name, to }: Change, planned: readonly Planned[]): Promise<void> {
  if (planned.length === 0) return;
  const { status, stdout, output } = await calls.ask(controlArgv(planned));
  if (status !== 0) throw aptFault(output, `show ${name}=${to}`);
  const paths = await download(calls, { name, version: to }, offeredFiles(stdout, planned));
  const files: PackageFile[] = [];
  // One after the other: no two transactions run at a time.
  for (const path of paths) files.push({ path, is: await readFile(calls, path) });
  refuseMislabelled(planned, files);
}

/** dpkg unpacks a part of the file for it, as only root with all its rights can: so this is a transaction. */
async function readFile({ actOffline }: AptCalls, path: string): Promise<Planned | undefined> {
  const { status, stdout } = await actOffline(fieldsArgv(path), `look into ${path}`);
  const field = (key: string): string | undefined => new RegExp(`^${key}: (\\S+)$`, "m").exec(stdout)?.[1];
  const [name, version, architecture] = [field("Package"), field("Version"), field("Architecture")];
  if (status !== 0 || name === undefined || version === undefined) return undefined;
  return { name, version, architecture };
}

import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "./host.ts";
import { mustRun } from "./program.ts";

/** Debian's own package of that name, as it is; the answer is the path of the .deb on this machine. */
export async function downloadPackage(host: Host, name: string): Promise<string> {
  const folder = join(host.directory, `download-${name}`);
  await mkdir(folder);
  await mustRun(["apt-get", "download", name], { cwd: folder });
  const [file] = await readdir(folder);
  if (file === undefined) throw new Error(`apt-get downloaded no ${name}`);
  return join(folder, file);
}

import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../../fault/fault.ts";

/** Below the machine's own root a place that no reboot survives. */
export function routesPath(root: string): string {
  return root === "/" ? "/run/svc-upgrade/apt-routes.conf" : `${root}/var/lib/svc-upgrade/apt-routes.conf`;
}

/** Has the configuration lie in its file for as long as the work takes: passwords may be in it, so only root may read it. */
export async function withRoutesFile<T>(path: string, config: string, work: () => Promise<T>): Promise<T> {
  await write(path, config);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function write(path: string, config: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    // Never through a link, and never into a file that somebody else made and may read.
    await writeFile(path, config, { mode: 0o600, flag: "wx" });
  } catch (thrown) {
    throw new Fault("file-failed", {
      message: `${path} could not be written`,
      hint: "start the pass with `systemctl start svc-upgrade.service`, which makes its directory",
      cause: thrown,
    });
  }
}

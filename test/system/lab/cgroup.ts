import { access, mkdir, readdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cgroup2Mount } from "./machine.ts";
import { until } from "./until.ts";

/** Dying processes hold their cgroup for a moment. */
const longestDeathMs = 15_000;

/** A cgroup of its own for each host: it is what keeps hosts apart, and what kills one as a power cut would. */
export async function makeCgroup(number: number): Promise<string> {
  await killCgroup(number);
  const cgroup = await cgroupOf(number);
  await mkdir(cgroup);
  return cgroup;
}

/** Kills every process of the host at once and takes its cgroup tree away; does nothing where there is none. */
export async function killCgroup(number: number): Promise<void> {
  const cgroup = await cgroupOf(number);
  const isThere = await access(cgroup).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  await writeFile(join(cgroup, "cgroup.kill"), "1");
  await until(`the last process of ${cgroup} to die`, longestDeathMs, () => isRemoved(cgroup));
}

async function cgroupOf(number: number): Promise<string> {
  const mount = await cgroup2Mount();
  if (mount === undefined) throw new Error("no cgroup2 file system is mounted");
  return join(mount, `svc-upgrade-lab-${number}`);
}

/** Depth first; a busy one is undefined, to be asked again. */
async function isRemoved(cgroup: string): Promise<true | undefined> {
  try {
    for (const entry of await readdir(cgroup, { withFileTypes: true })) {
      if (entry.isDirectory() && (await isRemoved(join(cgroup, entry.name))) === undefined) return undefined;
    }
    await rmdir(cgroup);
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "EBUSY" || code === "ENOTEMPTY") return undefined;
    if (code === "ENOENT") return true;
    throw cause;
  }
}

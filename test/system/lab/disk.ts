import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingForLab } from "./machine.ts";
import { mustRun, runProgram } from "./program.ts";
import type { Slot } from "./slot.ts";
import { until } from "./until.ts";

/** Those that most servers have, and that lose what was not synced in their own ways. */
export const fileSystems = ["ext4", "xfs"] as const;
export type FileSystem = (typeof fileSystems)[number];

export type DiskOptions = {
  /** Roomy unless said. */
  readonly diskMegabytes?: number;
  /** A real one, on a loop device: what was not synced can be lost then. Unless said the disk is plain memory, which loses nothing. */
  readonly fileSystem?: FileSystem;
};

/** More than any scenario writes; what is not written takes no memory. */
const roomyMegabytes = 4096;
const bytesInMegabyte: number = 2 ** 20;

/** The last process of a host holds its mounts for a moment. */
const longestReleaseMs = 15_000;

const losingScript = join(import.meta.dirname, "lose-caches.pl");

/** What holds everything that a host writes. */
export async function makeDisk(slot: Slot, { diskMegabytes = roomyMegabytes, fileSystem }: DiskOptions): Promise<void> {
  const directory = directoryOf(slot);
  await mkdir(directory);
  // In memory: package managers sync every file, and a machine's disk would be waited for by all hosts at once.
  await mustRun(["mount", "-t", "tmpfs", "-o", `size=${diskMegabytes}m`, "tmpfs", directory]);
  if (fileSystem !== undefined) await makeImage(imageOf(slot), fileSystem, diskMegabytes);
}

/**
 * Of a host that is on, just before its processes are killed: nothing reaches its disk any more, neither data nor the rest of the
 * journal. The next boot finds what had reached it, and the file system's own recovery.
 */
export async function loseCaches(slot: Slot, nspawn: number | undefined): Promise<void> {
  const [device] = await loopDevicesOf(slot);
  if (nspawn === undefined || device === undefined) {
    throw new Error(`host ${slot.number} has no caches to lose: it is off, or was not booted with a fileSystem`);
  }
  // The overlay cannot be told to; only the host's own mounts show the file system below it.
  await mustRun(["perl", losingScript, `/proc/${nspawn}/root${directoryOf(slot)}`, device]);
}

/** Once the last process of the host is gone: before that, its next boot would be given the file system that is just going. */
export async function diskIsOff(slot: Slot): Promise<void> {
  await until("the host's disk to be let go", longestReleaseMs, async () => {
    return (await loopDevicesOf(slot)).length === 0 ? true : undefined;
  });
}

export async function removeDisk(slot: Slot): Promise<void> {
  await diskIsOff(slot);
  // Only this is a mount of the machine's; all others died with the host's mount namespace.
  await runProgram(["umount", "--lazy", directoryOf(slot)]);
}

/** Those on which this machine can boot a host: a kernel may lack one, and a container loop devices. What is left out is told. */
export async function fileSystemsHere(): Promise<readonly FileSystem[]> {
  // Whoever cannot boot any host is told of that already.
  if ((await missingForLab()).length > 0) return [];
  const here: FileSystem[] = [];
  for (const fileSystem of fileSystems) {
    const refusal = await refusalOf(fileSystem);
    if (refusal === undefined) here.push(fileSystem);
    else
      console.error(
        `\n*** SKIPPED ***\nPower cuts that lose what was not synced need ${fileSystem} on a loop device: ${refusal}\n`,
      );
  }
  return here;
}

/** What the machine says to a mount of it; undefined where there is no objection. */
async function refusalOf(fileSystem: FileSystem): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), "svc-upgrade-lab-"));
  try {
    const image = join(directory, "image");
    await makeImage(image, fileSystem, roomyMegabytes);
    const { status, stderr } = await runProgram(["unshare", "--mount", "mount", "-o", "loop", image, directory]);
    return status === 0 ? undefined : stderr.trim();
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function makeImage(image: string, fileSystem: FileSystem, megabytes: number): Promise<void> {
  await writeFile(image, "");
  await truncate(image, megabytes * bytesInMegabyte);
  await mustRun([`mkfs.${fileSystem}`, "-q", image]);
}

/** None where the host is off, or its disk plain memory. */
async function loopDevicesOf(slot: Slot): Promise<readonly string[]> {
  // It fails where there is no such file.
  const { stdout } = await runProgram(["losetup", "--noheadings", "--output", "NAME", "--associated", imageOf(slot)]);
  return stdout.split("\n").filter((line) => line !== "");
}

function directoryOf(slot: Slot): string {
  return join(slot.directory, "disk");
}

/** boot.sh knows it by that name. */
function imageOf(slot: Slot): string {
  return join(directoryOf(slot), "image");
}

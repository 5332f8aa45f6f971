import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** One host's number on this machine, and the directory that everything of it lies in. */
export type Slot = { readonly number: number; readonly directory: string };

/** The same for every run on the machine: the numbers are also names of interfaces, namespaces and cgroups. */
const slotsDirectory = "/var/tmp/svc-upgrade-lab";
/** Addresses are cut from 10.213.0.0/16, four to a host. */
const highestNumber = 16_383;
/** A directory without an owner is being claimed, for a moment; one that stays so was left by a crash. */
const claimLastsMs = 60_000;

/** Takes the lowest free number: making the directory is the claim. */
export async function claimSlot(): Promise<Slot> {
  await mkdir(slotsDirectory, { recursive: true });
  for (let number = 1; number <= highestNumber; number += 1) {
    const directory = join(slotsDirectory, String(number));
    if (await isMade(directory)) {
      await writeFile(ownerFile(directory), `${process.pid} ${await startOf(process.pid)}`);
      return { number, directory };
    }
  }
  throw new Error(`all ${highestNumber} host numbers of ${slotsDirectory} are taken`);
}

export async function releaseSlot(slot: Slot): Promise<void> {
  await rm(slot.directory, { recursive: true, force: true });
}

/** Slots whose process is gone: a crashed run left them. */
export async function abandonedSlots(): Promise<readonly Slot[]> {
  const names = await readdir(slotsDirectory).catch(() => []);
  const slots = names.map((name) => ({ number: Number(name), directory: join(slotsDirectory, name) }));
  const abandoned = await Promise.all(slots.map(async (slot) => !(await isOwned(slot.directory))));
  return slots.filter((_, index) => abandoned[index]);
}

async function isOwned(directory: string): Promise<boolean> {
  const owner = await readFile(ownerFile(directory), "utf8").catch(() => undefined);
  if (owner === undefined || owner === "") {
    const made = await stat(directory).catch(() => undefined);
    return made === undefined || Date.now() - made.mtimeMs < claimLastsMs;
  }
  const [pid, start] = owner.split(" ");
  return (await startOf(Number(pid))) === start;
}

/** A pid comes round again; together with its start time it names one process for ever (field 22 of proc_pid_stat(5)). */
async function startOf(pid: number): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return status?.slice(status.lastIndexOf(")") + 2).split(" ")[19];
}

function isMade(directory: string): Promise<boolean> {
  return mkdir(directory).then(
    () => true,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === "EEXIST") return false;
      throw cause;
    },
  );
}

function ownerFile(directory: string): string {
  return join(directory, "owner");
}

import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Family } from "../system/lab/base.ts";
import type { Host } from "../system/lab/host.ts";
import { until } from "../system/lab/until.ts";
import { transactionUnit } from "./pass.ts";
import { Missed } from "./scenario.ts";
import { cgroupOf, killAll, processesIn } from "./strike.ts";

/**
 * What an out-of-memory killer or an admin may take: the transaction's main process, all of its control group at once, or the
 * program that its main process has called to change the package.
 */
export type Prey = "main process" | "control group" | "child";

/** dnf changes packages itself; its only children are the packages' own scripts. */
export const children: Readonly<Record<Family, string | undefined>> = { apt: "dpkg", yum: undefined, zypper: "rpm" };

const longestWaitMs = 5000;

/** SIGKILL, from outside the host, so long after the prey is there. */
export async function killManager(host: Host, prey: Prey, delayMs: number): Promise<void> {
  const cgroup = await cgroupOf(host, transactionUnit);
  const find = (): Promise<number | undefined> => findIn(host, cgroup, prey);
  await until("the package manager to run", longestWaitMs, find).catch((cause: unknown) => {
    throw new Missed(`the transaction had no ${prey} to kill`, { cause });
  });
  await sleep(delayMs);
  // dpkg and rpm may be called more than once: it is the one that lives now.
  const pid = await find();
  if (pid === undefined) throw new Missed(`the transaction's ${prey} had ended`);
  if (prey === "control group") await killAll(cgroup);
  else kill(pid);
}

/** The main process is PID 1's child. */
async function findIn(host: Host, cgroup: string, prey: Prey): Promise<number | undefined> {
  for (const pid of await processesIn(cgroup)) {
    const { comm, parent } = await identityOf(pid);
    const isMain = parent === host.leader();
    if (prey === "child" ? !isMain && comm === children[host.family] : isMain && comm !== starting) return pid;
  }
  return undefined;
}

/** Of a process that has not yet become the program that its unit names. */
const starting = "(sd-executor)";

async function identityOf(pid: number): Promise<{ readonly comm: string; readonly parent: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return {
    comm: /^Name:\t(?<name>.*)$/m.exec(status)?.groups?.["name"] ?? "",
    parent: Number(/^PPid:\t(?<pid>\d+)$/m.exec(status)?.groups?.["pid"]),
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (cause) {
    throw new Missed("the package manager had ended", { cause });
  }
}

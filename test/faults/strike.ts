import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Host } from "../system/lab/host.ts";
import { cgroup2Mount } from "../system/lab/machine.ts";
import { until } from "../system/lab/until.ts";
import { actingUnit, decidingUnit, transactionUnit } from "./pass.ts";
import { Missed } from "./scenario.ts";

/**
 * "updater": the pass, which decides; "actor": what acts for it; "host": every process of it at once, as a power cut; with "its
 * caches lost" only what was synced is there afterwards. "manager": with all that it has started; "manager alone": the process
 * that the transaction began with; "helper": what that has started to do the work, where it has.
 */
export type Victim = "updater" | "actor" | "manager" | "manager alone" | "helper" | PowerCut;
export type PowerCut = "host" | "host, its caches lost";

/** Programs of the package managers; a pass starts others too. */
const managers = /^(?:apt|dpkg|rpm|dnf|yum|zypper|python3)/;
/** What the managers leave the work to; dnf does it by itself. */
const helpers = /^(?:dpkg|rpm)/;
/** A question to the package database takes some 20 ms, and a step may ask several. */
const longestWaitMs = 1500;

/** SIGKILL, from outside the host, where nothing can get in between. */
export async function strike(host: Host, victim: Victim): Promise<void> {
  switch (victim) {
    case "host":
      return host.powerCut();
    case "host, its caches lost":
      return host.powerCut("lost");
    case "updater":
      return killUpdater(host);
    case "actor":
      return killActor(host);
    case "manager":
      return killManager(host);
    case "manager alone":
      return killInTransaction(host, ([main]) => main);
    case "helper":
      return killInTransaction(host, ([, ...started]) => started.find(({ comm }) => helpers.test(comm)));
  }
}

/** After which the host has to be booted again. */
export function isPowerCut(victim: Victim): victim is PowerCut {
  return victim === "host" || victim === "host, its caches lost";
}

async function killUpdater(host: Host): Promise<void> {
  if (!(await killAll(await cgroupOf(host, decidingUnit)))) throw new Missed("the pass had ended");
}

async function killActor(host: Host): Promise<void> {
  if (!(await killAll(await cgroupOf(host, actingUnit)))) throw new Missed("nobody acted");
}

/** The transaction with all that it has started; or, where the pass or the acting unit asks the package manager, that one alone. */
async function killManager(host: Host): Promise<void> {
  const [transaction, pass, actor] = await Promise.all(
    [transactionUnit, decidingUnit, actingUnit].map((unit) => cgroupOf(host, unit)),
  );
  await until("a package manager to run", longestWaitMs, async () => {
    if (await killAll(transaction!)) return true;
    return (await killTools(pass!)) + (await killTools(actor!)) > 0 ? true : undefined;
  }).catch((cause: unknown) => {
    throw new Missed("no package manager was running", { cause });
  });
}

type Running = { readonly pid: number; readonly comm: string };

/** One of the transaction's processes, which stand in the order in which they were started. */
async function killInTransaction(host: Host, choose: (running: readonly Running[]) => Running | undefined): Promise<void> {
  const transaction = await cgroupOf(host, transactionUnit);
  await until("that process to run", longestWaitMs, async () => {
    const pids = (await processesIn(transaction)).toSorted((left, right) => left - right);
    const victim = choose(await Promise.all(pids.map(async (pid) => ({ pid, comm: await commOf(pid) }))));
    return victim === undefined ? undefined : process.kill(victim.pid, "SIGKILL");
  }).catch((cause: unknown) => {
    throw new Missed("no such process was running", { cause });
  });
}

function commOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
}

async function killTools(cgroup: string): Promise<number> {
  let killed = 0;
  for (const pid of await processesIn(cgroup)) {
    if (!managers.test(await commOf(pid))) continue;
    process.kill(pid, "SIGKILL");
    killed += 1;
  }
  return killed;
}

/** False where nothing lives in it. */
export async function killAll(cgroup: string): Promise<boolean> {
  if ((await processesIn(cgroup)).length === 0) return false;
  return writeFile(join(cgroup, "cgroup.kill"), "1").then(
    () => true,
    () => false,
  );
}

export async function processesIn(cgroup: string): Promise<readonly number[]> {
  const text = await readFile(join(cgroup, "cgroup.procs"), "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [Number(line)]));
}

/** A host's PID 1 lives in a child of the host's own root. */
export async function cgroupOf(host: Host, unit: string): Promise<string> {
  const line = /^0::(?<path>.*)$/m.exec(await readFile(`/proc/${host.leader()}/cgroup`, "utf8"))?.groups?.["path"];
  const mount = await cgroup2Mount();
  if (line === undefined || mount === undefined) throw new Error("the host has no cgroup");
  return join(mount, dirname(line), "system.slice", unit);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { FleetCall, FleetGiven } from "./fleet.ts";
import { clientsProcessor } from "./load.ts";
import { reportSeconds, type Stage } from "./stage.ts";

const hosts = 1000;
const awaySeconds = 5;
/** How many calls each host makes before auth is stopped, and after it is back. */
const roundsBefore = 2;
const roundsAfter = 4;

type Inventory = { readonly instances: readonly { readonly id: string; readonly reported?: string }[] };

/** Measures a fleet that reports while its only auth is stopped and started. */
export async function measureRestart(stage: Stage): Promise<string> {
  const folder = join(stage.folder, "fleet");
  mkdirSync(folder, { mode: 0o700 });
  const told = join(folder, "given.json");
  const given: FleetGiven = { ...stage.joining(), folder, hosts, beginWithinSeconds: reportSeconds };
  writeFileSync(told, JSON.stringify(given), { mode: 0o600 });
  const argv = ["-c", clientsProcessor, process.execPath, resolve(import.meta.dirname, "fleet.ts"), told];
  const child = spawn("taskset", argv, { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    if ((await lines.next()).value !== "joined") throw new Error("the fleet did not join");
    await sleep((1 + roundsBefore) * reportSeconds * 1000);
    const stopped = Date.now();
    await stage.stopAuth();
    await sleep(awaySeconds * 1000);
    await stage.startAuth();
    const back = Date.now();
    await sleep(roundsAfter * reportSeconds * 1000);
    child.stdin.end();
    const calls = JSON.parse(String((await lines.next()).value)) as readonly FleetCall[];
    return printRestart(calls, {
      stopped,
      back,
      inventory: JSON.parse(stage.tctl("inventory", "ls", "--format", "json")) as Inventory,
    });
  } finally {
    if (child.kill()) await once(child, "exit");
  }
}

type Restarted = { readonly stopped: number; readonly back: number; readonly inventory: Inventory };

function printRestart(calls: readonly FleetCall[], { stopped, back, inventory }: Restarted): string {
  const answered = calls.filter(({ isAnswered }) => isAnswered);
  const last = new Map(answered.toSorted((one, other) => one.at - other.at).map(({ instance, at }) => [instance, at]));
  const reported = new Map(inventory.instances.map(({ id, reported: at = "1970-01-01" }) => [id, Date.parse(at)]));
  // Auth's times are whole seconds.
  const lost = [...last].filter(([instance, at]) => (reported.get(instance) ?? 0) < Math.floor(at / 1000) * 1000);
  if (lost.length > 0) throw new Error(`of ${lost.length} hosts the inventory does not have the last report`);
  const first = new Map(
    answered
      .filter(({ at }) => at >= back)
      .toSorted((one, other) => other.at - one.at)
      .map(({ instance, at }) => [instance, at]),
  );
  if (first.size !== hosts) throw new Error(`${hosts - first.size} hosts did not come back`);
  const before = calls.filter(({ at }) => at < stopped);
  const after = calls.filter(({ at }) => at >= back);
  const seconds = (Math.max(...first.values()) - back) / 1000;
  return `${hosts} hosts that report every ${reportSeconds} seconds, and auth away for ${awaySeconds}: all were back ${seconds.toFixed(0)} seconds after it was, none of ${answered.length} answered reports was lost. At most ${mostInASecond(after)} calls in a second then, ${mostInASecond(before)} before.`;
}

function mostInASecond(calls: readonly FleetCall[]): number {
  const counts = new Map<number, number>();
  for (const { at } of calls) {
    const second = Math.floor(at / 1000);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

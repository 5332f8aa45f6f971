/*
 * npm run bench:cluster [-- ROUNDS]: what auth takes when it is idle, how soon it answers, what `tctl get` takes as a whole process; and
 * what mutual TLS and a small call cost it, against a bare node:https server; what a report costs, and a fleet that finds auth started again; what the presence of a host takes; and what channels lose where the proxy hands on calls of people. It measures dist/svc-<architecture> where that was built, else the source.
 */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { load, ways, type Call, type Cost, type Loaded, type Way } from "./bench/cluster/load.ts";
import { measureInventory } from "./bench/cluster/inventory.ts";
import { measurePresence } from "./bench/cluster/presence.ts";
import { measureRestart } from "./bench/cluster/restart.ts";
import { measureRelay, printRelay } from "./bench/cluster/people.ts";
import { printRounds, type Round } from "./bench/cluster/print.ts";
import { commitNow, openStage, type Served, type Stage } from "./bench/cluster/stage.ts";
import { mebibytes, memoryOf } from "./bench/memory.ts";
import { measure, median, settleFile } from "./bench/measure.ts";
import { printFigures } from "./bench/print.ts";
import { runScript } from "./script.ts";
import { firstTool } from "./tool.ts";

const usualRounds = 5;
const starts = 9;
/** Until memory that a start has freed is returned. */
const idleSeconds = 20;

const status: Call = { path: "/svc.v1.ClusterService/GetStatus", body: "{}", says: /"clusterName":\s*"example"/ };
/** The usual report of a host whose updater waits for its window, as `svc` sends it. */
const report: Call = {
  path: "/svc.v1.InventoryService/Report",
  body: JSON.stringify({
    bootId: randomUUID(),
    counter: "COUNTER",
    hostname: "bench-HOST-COUNTER",
    services: ["node"],
    version: "15.4.5",
    updater: {
      kind: "unit",
      package: "svc-ent",
      channel: "default",
      installed: "15.4.5",
      served: "15.4.6",
      decision: { kind: "stay", why: "outside-window", until: "2026-11-26T02:00:00Z" },
      outcome: { kind: "moved", version: "15.4.5", at: "2026-11-20T02:10:00Z" },
      window: "schedule",
      looked: "2026-11-25T12:00:00Z",
    },
  }),
  // The windows of eight days.
  says: /"hasWindow":\s*true(?:[^]*"start"){8}[^]*"reportAfterSeconds"/,
};
/** The same report without news, as in the first round. */
const again: Call = { ...report, body: report.body.replace("bench-HOST-COUNTER", "again-HOST") };
const window = "kind: cluster_maintenance_config\nspec:\n  agent_upgrades:\n    utc_start_hour: 2\n";

await runScript(async () => {
  const rounds = Number(process.argv[2] ?? usualRounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("npm run bench:cluster -- ROUNDS, a whole number");
  firstTool(["taskset"], "it keeps server and client on processors of their own; Debian has it in util-linux");
  const stage = await openStage();
  try {
    console.log(`Measured: ${stage.programName}, at ${commitNow() ?? "an unknown commit"}.\n`);
    settleFile(stage.program[0]);
    console.log(`${await measureStarts(stage)}\n`);
    const { processId } = await stage.startAuth();
    console.log(`${await measureIdle(processId)}\n`);
    console.log(`${measureTctl(stage)}\n`);
    console.log(`${await measureCalls(stage, rounds)}\n`);
    console.log(`${printRelay(await measureRelay(stage))}\n`);
    console.log(`${await measurePresence(stage)}\n`);
    console.log(
      `After that: ${mebibytes(memoryOf(processId))} of auth resident, most ever ${mebibytes(memoryOf(processId, "VmHWM"))}.\n`,
    );
    console.log(`${await measureRestart(stage)}\n`);
    console.log(await measureInventory(stage));
  } finally {
    await stage.close();
  }
});

async function measureStarts(stage: Stage): Promise<string> {
  // The first makes the cluster and its authority.
  const took: number[] = [];
  const worked: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const { readyMs, processorMs } = await stage.startAuth();
    took.push(readyMs);
    worked.push(processorMs);
    await stage.stopAuth();
  }
  const [first = 0, ...later] = took;
  return `From exec to \`/readyz\`: ${median(later).toFixed(0)} ms, at most ${Math.max(...later).toFixed(0)}, ${median(worked).toFixed(0)} of processor time; the first, which makes the cluster, ${first.toFixed(0)} ms.`;
}

async function measureIdle(processId: number): Promise<string> {
  await sleep(idleSeconds * 1000);
  return `Idle for ${idleSeconds} seconds: ${mebibytes(memoryOf(processId))} resident, ${mebibytes(memoryOf(processId, "RssAnon"))} of them its own and no file's.`;
}

function measureTctl({ program, config, socketPath }: Stage): string {
  const [file, ...words] = program;
  const expects = /editor/;
  const floor = resolve(import.meta.dirname, "bench/cluster/ask.cjs");
  return printFigures(
    "a whole process",
    measure([
      { name: "a bare script of the same runtime that asks the same", argv: [process.execPath, floor, socketPath], expects },
      { name: "`tctl get role/editor`", argv: [file, ...words, "tctl", "get", "role/editor", "-c", config], expects },
      { name: "`tctl status`", argv: [file, ...words, "tctl", "status", "-c", config], expects: /^Cluster +example$/m },
    ]),
  );
}

async function measureCalls(stage: Stage, rounds: number): Promise<string> {
  const { folder } = stage;
  const auth = await stage.auth();
  const bare = await stage.bare("nothing");
  const written = await stage.bare("each-call");
  writeFileSync(join(folder, "window.yaml"), window);
  stage.tctl("create", join(folder, "window.yaml"));
  const floor = { ...report, body: report.body.replace("HOST-COUNTER", "HOST"), says: status.says, folder };
  const oneRound = async (round: number): Promise<Round> => ({
    bare: await everyWay(bare, folder),
    auth: await everyWay(auth, folder),
    reports: {
      bare: await load(bare, "call-resumed", floor),
      written: await load(written, "call-resumed", floor),
      auth: await reports(stage, auth, { round, saying: "news" }),
      again: await reports(stage, auth, { round, saying: "the-same" }),
    },
  });
  // The first round runs before the compiler has done its work.
  await oneRound(0);
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) all.push(await oneRound(round));
  return printRounds(all);
}

/** Every answered report is in the inventory, with each host's last one. */
async function reports(
  stage: Stage,
  auth: Served,
  asked: { readonly round: number; readonly saying: "news" | "the-same" },
): Promise<Loaded> {
  const { round, saying } = asked;
  const began = Math.floor(Date.now() / 1000);
  const { body, ...call } = saying === "news" ? report : again;
  const ofRound = body.replace('"bootId":"', `$&${saying}-${round}-`);
  const loaded = await load(auth, "call-resumed", { ...call, body: ofRound, folder: stage.folder });
  const { instances } = JSON.parse(stage.tctl("inventory", "ls", "--format", "json")) as {
    readonly instances: readonly { readonly hostname: string; readonly reported?: string }[];
  };
  const heard = new Map(instances.map(({ hostname, reported = "" }) => [hostname, Date.parse(reported) / 1000]));
  const nameOf = (made: number, host: number): string => (saying === "news" ? `bench-${host}-${made}` : `again-${host}`);
  const lost = loaded.last.filter((made, host) => !((heard.get(nameOf(made, host)) ?? 0) >= began));
  if (lost.length > 0) throw new Error(`of ${lost.length} hosts the inventory does not have the last report`);
  return loaded;
}

async function everyWay(served: Served, folder: string): Promise<Record<Way, Cost>> {
  const costs = {} as Record<Way, Cost>;
  for (const way of ways) costs[way] = await load(served, way, { ...status, folder });
  return costs;
}

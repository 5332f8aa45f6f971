/*
 * npm run bench:cluster [-- ROUNDS]: what auth takes when it is idle, how soon it answers, what `tctl get` takes as a whole process; and
 * what mutual TLS and a small call cost it, against a bare node:https server; and what channels lose where the proxy hands on calls of people. It measures dist/svc-<architecture> where that was built, else the source.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { load, ways, type Call, type Cost, type Way } from "./bench/cluster/load.ts";
import { measureRelay, printRelay } from "./bench/cluster/people.ts";
import { printRounds, type Round } from "./bench/cluster/print.ts";
import { commitNow, openStage, type Served, type Stage } from "./bench/cluster/stage.ts";
import { measure, median, settleFile } from "./bench/measure.ts";
import { printFigures } from "./bench/print.ts";
import { runScript } from "./script.ts";
import { firstTool } from "./tool.ts";

const usualRounds = 5;
const starts = 9;
/** Until what a start has thrown away is given back. */
const idleSeconds = 20;

const status: Call = { path: "/svc.v1.ClusterService/GetStatus", body: "{}", says: /"clusterName":\s*"example"/ };
/** As long as what a host will say of itself. */
const report: Call = {
  ...status,
  body: JSON.stringify({ host: "0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44", version: "15.4.5", told: "x".repeat(300) }),
};

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
    console.log(
      `After that: ${mebibytes(residentOf(processId))} of auth resident, most ever ${mebibytes(residentOf(processId, "VmHWM"))}.`,
    );
  } finally {
    await stage.close();
  }
});

async function measureStarts(stage: Stage): Promise<string> {
  // The first makes the cluster, its authority with it.
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
  return `Idle for ${idleSeconds} seconds: ${mebibytes(residentOf(processId))} resident, ${mebibytes(residentOf(processId, "RssAnon"))} of them its own and no file's.`;
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
  const oneRound = async (): Promise<Round> => ({
    bare: await everyWay(bare, folder),
    auth: await everyWay(auth, folder),
    written: await load(written, "call-resumed", { ...report, folder }),
  });
  // The first is before the compiler has done its work.
  await oneRound();
  const all: Round[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await oneRound());
  return printRounds(all);
}

async function everyWay(served: Served, folder: string): Promise<Record<Way, Cost>> {
  const costs = {} as Record<Way, Cost>;
  for (const way of ways) costs[way] = await load(served, way, { ...status, folder });
  return costs;
}

function residentOf(processId: number, key: string = "VmRSS"): number {
  const kilobytes = new RegExp(`^${key}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${processId}/status`, "utf8"))?.[1];
  return Number(kilobytes);
}

function mebibytes(kilobytes: number): string {
  return `${(kilobytes / 1024).toFixed(1)} MiB`;
}

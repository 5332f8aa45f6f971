/**
 * npm run bench:cluster [-- [--storage postgresql] ROUNDS] measures auth: its memory when idle, how soon it answers, a whole run of `tctl get`, the
 * cost of mutual TLS and a small call against a bare node:https server, the cost of a report, a fleet after auth's restart, the memory of a host's
 * presence, and how much people's calls delay channels at the proxy. Uses dist/svc-<architecture> if that was built, otherwise the source.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { load, ways, type Call, type Cost, type Way } from "./bench/cluster/load.ts";
import { report, reports, setWindow } from "./bench/cluster/reports.ts";
import { measureStorage } from "./bench/cluster/storage.ts";
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
/** The time in which memory that the start has freed is returned to the system. */
const idleSeconds = 20;

const status: Call = { path: "/svc.v1.ClusterService/GetStatus", body: "{}", says: /"clusterName":\s*"example"/ };

await runScript(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { storage: { type: "string" } } });
  const rounds = Number(positionals[0] ?? usualRounds);
  if (!Number.isInteger(rounds) || rounds < 1 || ![undefined, "postgresql"].includes(values.storage))
    throw new Error("npm run bench:cluster -- [--storage postgresql] ROUNDS, a whole number");
  firstTool(["taskset"], "it keeps server and client on processors of their own; Debian has it in util-linux");
  if (values.storage !== undefined) {
    console.log(`At ${commitNow() ?? "an unknown commit"}.\n\n${await measureStorage(rounds)}`);
    return;
  }
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
  // Does not count the first start, which also makes the cluster and its authority.
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
  setWindow(stage);
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
  // Does not count the first round, in which V8 has not compiled the code yet.
  await oneRound(0);
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) all.push(await oneRound(round));
  return printRounds(all);
}

async function everyWay(served: Served, folder: string): Promise<Record<Way, Cost>> {
  const costs = {} as Record<Way, Cost>;
  for (const way of ways) costs[way] = await load(served, way, { ...status, folder });
  return costs;
}

/**
 * npm run bench:shells [-- HOSTS] measures shells through the proxy: one against the same ssh without a proxy, ten at once, one stream with a round
 * trip of 50 ms, an idle tunnel at the proxy and at the host, and that many hosts (1,000) whose proxy is restarted. Uses dist/svc-<architecture> if
 * that was built, otherwise the source.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasSsh, login } from "../test/demo/cluster/shell.ts";
import { commitNow } from "./bench/cluster/stage.ts";
import { mebibytes, memoryOf } from "./bench/memory.ts";
import { measure, median } from "./bench/measure.ts";
import { printFigures } from "./bench/print.ts";
import { openSource, rateAt, rateOfProgram, type Source } from "./bench/shells/streams.ts";
import { openStage, until, type Stage } from "./bench/shells/stage.ts";
import { runScript } from "./script.ts";

type Argv = readonly [string, ...string[]];
type Row = { readonly what: string; readonly goal: string; readonly floor: string; readonly reached: string };

const usualHosts = 1000;
const streamBytes = 200_000_000;
const oneWayMs = 25;
const rounds = 5;
const atOnce = 10;
/** The time in which freed memory is returned to the system. */
const restSeconds = 30;
const longestBackSeconds = 60;
const sampled = 20;
const env = process.env;

await runScript(async () => {
  const hosts = Number(process.argv[2] ?? usualHosts);
  if (!Number.isInteger(hosts) || hosts < sampled) throw new Error(`npm run bench:shells -- HOSTS, at least ${sampled}`);
  if (!hasSsh()) throw new Error("OpenSSH is missing: Debian has it in openssh-server and openssh-client");
  const source = await openSource(streamBytes);
  const stage = await openStage(source.port);
  try {
    console.log(`Measured: ${stage.programName}, at ${commitNow() ?? "an unknown commit"}.\n`);
    const rows = [
      // Measures memory first, because a host keeps some of the memory that it needed for much traffic.
      await measureHost(stage),
      ...(await measureMany(stage, { hosts, source })),
      measureOne(stage),
      await measureTen(stage),
      ...(await measureStreams(stage, source)),
    ];
    const lines = rows.map(({ what, goal, floor, reached }) => `| ${what} | ${goal} | ${floor} | ${reached} |`);
    console.log(["| | goal | floor | reached |", "|---|---|---|---|", ...lines].join("\n"));
  } finally {
    source.close();
    await stage.close();
  }
});

function shell(stage: Stage, command: string): Argv {
  return stage.tsh("ssh", `${login}@${stage.web.id}`, "--", command);
}

function measureOne(stage: Stage): Row {
  const expects = /^in$/m;
  const figures = measure([
    { name: "the same `ssh`, without a proxy", argv: stage.ssh(stage.sshdPort, "echo in"), expects },
    { name: "`tsh ssh HOST`", argv: shell(stage, "echo in"), expects, env: stage.env },
  ]);
  console.log(`${printFigures("a whole process", figures)}\n`);
  const [direct = 0, through = 0] = figures.map(({ milliseconds }) => milliseconds);
  return {
    what: "`tsh ssh HOST true` against the same `ssh`",
    goal: "300 ms more",
    floor: `${direct.toFixed(0)} ms`,
    reached: `${(through - direct).toFixed(0)} ms more`,
  };
}

async function measureTen(stage: Stage): Promise<Row> {
  const [direct, through]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    direct.push(await allOf(stage, stage.ssh(stage.sshdPort, "echo in")));
    through.push(await allOf(stage, shell(stage, "echo in")));
  }
  const seconds = (all: readonly number[]): string => `${(median(all) / 1000).toFixed(2)} s`;
  return { what: "ten at once", goal: "2 s", floor: seconds(direct), reached: seconds(through) };
}

async function allOf(stage: Stage, [command, ...words]: Argv): Promise<number> {
  const beganMs = performance.now();
  const one = async (): Promise<void> => {
    const child = spawn(command, words, { stdio: ["ignore", "pipe", "inherit"], env: { ...env, ...stage.env } });
    let said = "";
    child.stdout.on("data", (text: Buffer) => (said += text.toString()));
    await once(child, "close");
    if (said !== "in\n") throw new Error(`a shell said "${said}"`);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return performance.now() - beganMs;
}

async function measureStreams(stage: Stage, source: Source): Promise<readonly Row[]> {
  const file = join(stage.folder, "file");
  writeFileSync(file, source.bytes);
  const [sourcePort, sshdPort] = [await stage.delayed(oneWayMs, source.port), await stage.delayed(oneWayMs, stage.sshdPort)];
  await stage.delayTunnels(oneWayMs);
  const ways: Readonly<Record<"bare" | "tunnel" | "ssh" | "tsh", () => Promise<number>>> = {
    bare: () => rateAt(sourcePort, source.bytes),
    tunnel: () => printed(stage.tsh("proxy", "ssh", `${login}@${stage.source.id}`)),
    ssh: () => printed(stage.ssh(sshdPort, `cat ${file}`)),
    tsh: () => printed(shell(stage, `cat ${file}`)),
  };
  const printed = (argv: Argv): Promise<number> => rateOfProgram(argv, { ...env, ...stage.env }, source.bytes);
  const rates: Record<keyof typeof ways, number[]> = { bare: [], tunnel: [], ssh: [], tsh: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) rates[way].push(await ways[way]());
  }
  await stage.delayTunnels(0);
  const rate = (way: keyof typeof ways): string => `${median(rates[way]).toFixed(0)} MB/s`;
  const roundTrip = `at ${2 * oneWayMs} ms of round trip`;
  return [
    { what: `one stream ${roundTrip}`, goal: "50 MB/s", floor: `${rate("bare")}, TCP`, reached: rate("tunnel") },
    { what: `ssh's own stream ${roundTrip}`, goal: "", floor: `${rate("ssh")}, the same \`ssh\``, reached: rate("tsh") },
  ];
}

async function measureHost({ web, plain }: Stage): Promise<Row> {
  await sleep(restSeconds * 1000);
  const more = (key: string): string => mebibytes(memoryOf(web.processId, key) - memoryOf(plain.processId, key));
  return {
    what: "a tunnel at rest: the host",
    goal: "3 MiB",
    floor: `${mebibytes(memoryOf(plain.processId))}, a host without`,
    reached: `${more("VmRSS")} more, ${more("RssAnon")} of them its own and no file's`,
  };
}

async function measureMany(
  stage: Stage,
  { hosts, source }: { readonly hosts: number; readonly source: Source },
): Promise<readonly Row[]> {
  const own = (): number => memoryOf(stage.proxyId(), "RssAnon");
  const before = { own: own(), all: memoryOf(stage.proxyId()) };
  const { opened, stop } = stage.startTunnels(hosts, source.port);
  await until(() => Promise.resolve(opened.size === hosts), "the hosts did not join", 300_000);
  await sleep(restSeconds * 1000);
  const rest = { own: own(), all: memoryOf(stage.proxyId()) };
  await sample(stage, { opened, source });
  opened.clear();
  const { stoppedMs, readyMs } = await stage.restartProxy();
  const over = new AbortController();
  const asking = waits(stage, over.signal);
  await until(() => Promise.resolve(opened.size === hosts), "not all tunnels came back", 2 * longestBackSeconds * 1000);
  over.abort();
  const longestMs = Math.max(...(await asking));
  const backMs = Math.max(...opened.values());
  await sample(stage, { opened, source });
  await stop();
  const each = (kilobytes: number): string => `${(kilobytes / hosts).toFixed(0)} KiB`;
  return [
    {
      what: `a tunnel at rest: the proxy, of ${hosts}`,
      goal: "60 KiB",
      floor: `${mebibytes(before.all)}, the proxy without`,
      reached: `${each(rest.all - before.all)}, ${each(rest.own - before.own)} of them its own and no file's`,
    },
    {
      what: `${hosts} tunnels after a restart of the proxy`,
      goal: `all back in ${longestBackSeconds} s`,
      floor: `${((readyMs - stoppedMs) / 1000).toFixed(1)} s away`,
      reached: `${((backMs - readyMs) / 1000).toFixed(1)} s after it is back`,
    },
    { what: "the longest that another client waits then", goal: "1 s", floor: "", reached: `${longestMs.toFixed(0)} ms` },
  ];
}

/** Checks that some of the hosts can be reached. */
async function sample(
  stage: Stage,
  { opened, source }: { readonly opened: ReadonlyMap<string, number>; readonly source: Source },
): Promise<void> {
  const ids = [...opened.keys()].filter((_id, index) => index % Math.floor(opened.size / sampled) === 0);
  for (const id of ids) {
    const [command, ...words] = stage.tsh("proxy", "ssh", `${login}@${id}`);
    const child = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"], env: { ...env, ...stage.env } });
    const [piece] = (await once(child.stdout, "data")) as [Buffer];
    child.kill();
    if (!source.bytes.subarray(0, piece.length).equals(piece)) throw new Error(`the host ${id} sent something else`);
    await once(child, "close");
  }
}

/** How long questions for a channel take: ten each second, each on its own connection. */
async function waits({ proxyPort: port, caFile }: Stage, over: AbortSignal): Promise<readonly number[]> {
  const ca = readFileSync(caFile);
  const ask = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const beganMs = performance.now();
      const path = "/v1/webapi/automaticupgrades/channel/default/version";
      request({ host: "127.0.0.1", port, path, ca, agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        response.on("end", () =>
          text.trim() === "v15.4.6" ? resolve(performance.now() - beganMs) : reject(new Error(`the proxy answered "${text}"`)),
        );
      })
        .on("error", reject)
        .end();
    });
  const asked: Promise<number>[] = [];
  while (!over.aborted) {
    asked.push(ask());
    await sleep(100);
  }
  return await Promise.all(asked);
}

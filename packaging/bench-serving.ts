// npm run bench:server: what svc-proxy serves on one processor, against a bare server of the same runtime with one fixed answer.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median } from "./bench/measure.ts";
import { load, type Loaded, type Server } from "./bench/serving/load.ts";
import { projectRoot } from "./project.ts";
import { runScript } from "./script.ts";

/** The machine's own pace wanders: each round asks both in turn, and the ratio is taken within the round. */
const rounds = 9;
const serverProcessor = "0";
const longestStartMs = 20_000;

await runScript(async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-proxy-bench-"));
  const children: ChildProcess[] = [];
  try {
    const [barePort = 0, port = 0, lookPort = 0] = await freePorts(3);
    const config = join(folder, "svc.yaml");
    writeFileSync(
      config,
      `proxy_service: {public_addr: a.example, version: v15.4.6, web_listen_addr: "127.0.0.1:${port}", diag_addr: "127.0.0.1:${lookPort}"}\n`,
    );
    const start = async (argv: readonly string[], at: number): Promise<Server> => {
      const child = spawn("taskset", ["-c", serverProcessor, process.execPath, ...argv], { cwd: projectRoot, stdio: "ignore" });
      children.push(child);
      const url = `http://127.0.0.1:${at}/v1/webapi/automaticupgrades/channel/default/version`;
      await answers(url);
      return { processId: child.pid ?? 0, url };
    };
    const bare = await start([resolve(import.meta.dirname, "bench/serving/bare.cjs"), String(barePort)], barePort);
    const proxy = await start(["src/svc-proxy.ts", "serve", "--config", config], port);
    print(measured(bare, proxy));
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true });
  }
});

type Round = { readonly bare: Loaded; readonly proxy: Loaded };

function measured(bare: Server, proxy: Server): readonly Round[] {
  const all: Round[] = [];
  for (let round = 0; round < rounds + 1; round += 1) {
    const figures = { bare: load(bare), proxy: load(proxy) };
    // The first round is before the compiler has done its work.
    if (round > 0) all.push(figures);
  }
  return all;
}

function print(all: readonly Round[]): void {
  const row = (name: string, of: (round: Round) => Loaded): string => {
    const figure = (pick: (loaded: Loaded) => number): number => median(all.map((round) => pick(of(round))));
    const ratio = median(all.map((round) => of(round).perSecond / round.bare.perSecond));
    const cpuRatio = median(all.map((round) => round.bare.cpuMicroseconds / of(round).cpuMicroseconds));
    const [perSecond, p99, cpu] = [
      figure((one) => one.perSecond),
      figure((one) => one.p99Ms),
      figure((one) => one.cpuMicroseconds),
    ];
    return `| ${name} | ${ratio.toFixed(2)} | ${perSecond.toFixed(0)} | ${p99.toFixed(1)} ms | ${cpu.toFixed(1)} µs | ${cpuRatio.toFixed(2)} |`;
  };
  console.log(`| one processor, client on another | ratio | requests/s | p99 | processor time each | ratio by that |
|---|---|---|---|---|---|
${row("a bare node:http server", ({ bare }) => bare)}
${row("`svc-proxy`", ({ proxy }) => proxy)}`);
}

async function answers(url: string): Promise<void> {
  const untilMs = Date.now() + longestStartMs;
  for (;;) {
    try {
      if ((await fetch(url)).status === 200) return;
    } catch (cause) {
      // Not listening yet.
      if (Date.now() > untilMs) throw new Error(`nothing answers at ${url}`, { cause });
    }
    await new Promise((wait) => setTimeout(wait, 50));
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

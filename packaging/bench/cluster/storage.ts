import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresStore } from "../../../src/cluster/storage/postgresql.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { askAt } from "../../../test/cluster/auth/ask.ts";
import { startPostgres } from "../../../test/cluster/storage/postgres-server.ts";
import { median } from "../measure.ts";
import { mebibytes, memoryOf } from "../memory.ts";
import { processorTimeOf } from "../processor-time.ts";
import { joinAsNode } from "./identities.ts";
import { addHosts } from "./inventory.ts";
import type { Loaded } from "./load.ts";
import { reports, setWindow } from "./reports.ts";
import { openStage, type Served, type Stage } from "./stage.ts";

const joins = 300;
const sizes = [1000, 10_000, 100_000];
const idleSeconds = 20;
const lists = 15;

type Lane = { readonly name: string; readonly stage: Stage; readonly processId: number; readonly served: Served };

/** Measures the same auth on a file, on a database, and twice on one database, in turn. */
export async function measureStorage(rounds: number): Promise<string> {
  await using server = await startPostgres(["fsync=on", "max_connections=50"]);
  const place = await server.database();
  const passwordFolder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const passwordFile = join(passwordFolder, "password");
  writeFileSync(passwordFile, `${place.password ?? ""}\n`, { mode: 0o600 });
  const on = `, storage: {type: postgresql, conn_string: "postgresql://svc@127.0.0.1:${place.port}/${place.database}?sslmode=disable", password_file: ${passwordFile}}`;
  const stages = [await openStage(), await openStage(on), await openStage(on)] as const;
  try {
    const [file, one, second] = [
      await laneOf("SQLite", stages[0]),
      await laneOf("PostgreSQL", stages[1]),
      await laneOf("PostgreSQL, the second auth", stages[2], stages[1]),
    ];
    [file, one].forEach(({ stage }) => setWindow(stage));
    const costs = { file: [] as number[], one: [] as number[], two: [] as number[], ratio: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      const alone = (await reports(file.stage, file.served, { round, saying: "news" })).microseconds;
      const database = (await reports(one.stage, one.served, { round, saying: "news" })).microseconds;
      const both = await Promise.all(
        [one, second].map(({ stage, served }) =>
          reports(stage, served, { round: round + 1000, saying: "news", hosts: stage === second.stage ? "second" : "first" }),
        ),
      );
      const two = median(both.map(({ microseconds }: Loaded) => microseconds));
      // Does not count the first round, which fills the caches.
      if (round === 0) continue;
      costs.file.push(alone);
      costs.one.push(database);
      costs.two.push(two);
      costs.ratio.push(two / database);
    }
    const said = [
      "| | SQLite | PostgreSQL | aim |",
      "|---|---|---|---|",
      `| a report, by processor time of auth | ${median(costs.file).toFixed(0)} µs | ${median(costs.one).toFixed(0)} µs; with two auth services ${median(costs.two).toFixed(0)}, ${median(costs.ratio).toFixed(2)} × | 1.18 × |`,
      await row(`10,000 joins, from ${joins}`, "3 minutes", [file, one], joinCost),
    ];
    for (const { stage } of [file, one, second]) await stage.stopAuth();
    const path = join(file.stage.folder, "data/auth/cluster.db");
    const bytes = async (): Promise<readonly number[]> => {
      const [answer] = await server.run("SELECT pg_database_size(current_database()) AS bytes", place.database);
      return [statSync(path).size, Number(answer?.["bytes"])];
    };
    let [filled, other] = [file, one];
    let before = 0;
    for (const hosts of sizes) {
      for (const { stage } of [filled, other]) await stage.stopAuth();
      await fill(await openSqliteStore({ path, release: versionOf(file.stage) }), hosts - before);
      await fill(await openPostgresStore({ ...place, release: versionOf(one.stage) }), hosts - before);
      before = hosts;
      [filled, other] = [await again(file), await again(one)];
      const [ofFile = "", ofDatabase = ""] = await Promise.all([filled, other].map(idle));
      const [fileBytes = 0, databaseBytes = 0] = await bytes();
      said.push(
        `| with ${hosts} hosts: the store | ${megabytes(fileBytes)} | ${megabytes(databaseBytes)} | |`,
        `| with ${hosts} hosts: auth, after a status and ${idleSeconds} idle seconds | ${ofFile} | ${ofDatabase} | |`,
      );
    }
    const [hosts = 0] = sizes.slice(-1);
    said.push(
      await row(
        `first page of \`inventory ls --label env=staging\`, ${hosts} hosts, one in ten`,
        "50 ms",
        [filled, other],
        (lane) => listCost(lane, "InventoryService/ListInventory", { pageSize: 100, labels: { env: "staging" } }),
      ),
      await row("the same for a label that no host has", "", [filled, other], (lane) =>
        listCost(lane, "InventoryService/ListInventory", { pageSize: 100, labels: { env: "none" } }),
      ),
      await row("`tctl status`, with its sums", "200 ms", [filled, other], (lane) =>
        listCost(lane, "ClusterService/GetStatus", {}),
      ),
      await row("memory of auth, most ever", "350 MiB", [filled, other], ({ processId }) =>
        Promise.resolve(mebibytes(memoryOf(processId, "VmHWM"))),
      ),
    );
    return said.join("\n");
  } finally {
    for (const stage of stages) await stage.close();
    rmSync(passwordFolder, { recursive: true, force: true });
  }
}

async function laneOf(name: string, stage: Stage, first?: Stage): Promise<Lane> {
  if (first !== undefined) {
    mkdirSync(join(stage.folder, "data/auth"), { recursive: true, mode: 0o700 });
    copyFileSync(join(first.folder, "data/auth/sealing.key"), join(stage.folder, "data/auth/sealing.key"));
  }
  const { processId } = await stage.startAuth();
  return { name, stage, processId, served: await stage.auth() };
}

async function again(lane: Lane): Promise<Lane> {
  return { ...lane, processId: (await lane.stage.startAuth()).processId };
}

async function row(
  name: string,
  aim: string,
  [file, database]: readonly [Lane, Lane],
  measured: (lane: Lane) => Promise<string>,
): Promise<string> {
  return `| ${name} | ${await measured(file)} | ${await measured(database)} | ${aim} |`;
}

async function joinCost({ stage, processId }: Lane): Promise<string> {
  const { port, pin } = stage.joining();
  const tokenFile = join(stage.folder, "joins");
  stage.tctl("tokens", "add", "--type=node", `--uses=${joins}`, `--out=${tokenFile}`);
  const before = processorTimeOf(processId);
  for (let count = 0; count < joins; count += 1) {
    const folder = join(stage.folder, `join-${count}`);
    mkdirSync(folder, { mode: 0o700 });
    await joinAsNode(port, { folder, tokenFile, pin });
  }
  const seconds = ((processorTimeOf(processId) - before) / joins / 1e6) * 10_000;
  return `${seconds.toFixed(0)} s of a processor`;
}

async function listCost({ stage }: Lane, method: string, body: object): Promise<string> {
  const ask = askAt(stage.socketPath);
  const took: number[] = [];
  for (let count = 0; count < lists; count += 1) {
    const began = performance.now();
    const { status } = await ask(method, body);
    if (status !== 200) throw new Error(`${method} is answered with ${status}`);
    took.push(performance.now() - began);
  }
  return `${median(took).toFixed(0)} ms`;
}

async function idle({ stage, processId }: Lane): Promise<string> {
  const began = processorTimeOf(processId);
  await askAt(stage.socketPath)("ClusterService/GetStatus", {});
  const read = processorTimeOf(processId);
  await sleep(idleSeconds * 1000);
  const [toRead, idly] = [(read - began) / 1e6, (processorTimeOf(processId) - read) / idleSeconds / 1e6];
  return `${mebibytes(memoryOf(processId))}, ${toRead.toFixed(1)} s of a processor to read it, then ${(idly * 100).toFixed(1)} %`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

async function fill(store: Store, hosts: number): Promise<void> {
  await addHosts(store, hosts, Math.floor(Date.now() / 1000));
  await store.close();
}

function versionOf(stage: Stage): string {
  return (JSON.parse(stage.tctl("version", "--format", "json")) as { readonly version: string }).version;
}

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { PostgresPlace } from "../../../src/cluster/storage/postgresql/connections.ts";
import { freePort } from "../svc/process.ts";

const programs = ["15", "16", "17", "18"].map((version) => `/usr/lib/postgresql/${version}/bin`).find((path) => existsSync(path));

/** Why there is no server to test with; undefined if there is one. */
export const noPostgres: string | undefined = programs === undefined ? "PostgreSQL is missing: install postgresql" : undefined;
if (noPostgres !== undefined) console.warn(`SKIPPED: the store on PostgreSQL: ${noPostgres}`);

export type PostgresServer = AsyncDisposable & {
  readonly place: PostgresPlace;
  /** An empty database. */
  readonly database: () => Promise<PostgresPlace>;
  /** Empties it for the next that needs one. */
  readonly giveBack: (place: PostgresPlace) => Promise<void>;
  readonly run: (sql: string, database?: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Another server that follows this one and answers commits with it, until it is promoted. */
  readonly standby: () => Promise<PostgresServer & { readonly promote: () => Promise<void> }>;
  /** Kills it as a power cut does. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
};

const password = "s3cret-Postgres";
const program = (name: string): string => join(programs ?? "", name);

/** A server of its own in a scratch directory, on loopback. Root starts it as the user nobody, because it refuses root. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), "postgres-"));
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (as.uid !== undefined) chownSync(directory, as.uid, as.gid);
  const data = join(directory, "data");
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, `${password}\n`);
  const words = ["-D", data, "-U", "svc", "--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--no-sync", "-E", "UTF8"];
  execFileSync(program("initdb"), [...words, "--locale=C.UTF-8"], { ...as, cwd: directory, stdio: "ignore" });
  return serve({ directory, data, as, settings });
}

type Serving = {
  readonly directory: string;
  readonly data: string;
  readonly as: { readonly uid?: number; readonly gid?: number };
  readonly settings: readonly string[];
};

async function serve({ directory, data, as, settings }: Serving): Promise<PostgresServer> {
  const port = await freePort();
  const place: PostgresPlace = { host: "127.0.0.1", port, user: "svc", database: "postgres", password, tls: undefined };
  let made = 0;
  const free: PostgresPlace[] = [];
  let server: ReturnType<typeof spawn> | undefined;

  async function start(): Promise<void> {
    const own = ["fsync=off", "full_page_writes=off", "listen_addresses=127.0.0.1", `port=${port}`, ...settings];
    const options = ["-D", data, "-k", directory, ...own.flatMap((one) => ["-c", one])];
    for (let tries = 0; ; tries += 1) {
      // It ends at once while a process of the server that was killed is left.
      if (server === undefined || server.exitCode !== null || server.signalCode !== null)
        server = spawn(program("postgres"), options, { ...as, cwd: directory, stdio: "ignore" });
      try {
        await run("SELECT 1");
        return;
      } catch (thrown) {
        if (tries > 200) throw thrown;
        await sleep(50);
      }
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, "exit");
    server.kill(signal);
    await gone;
  }

  async function run(sql: string, database = "postgres"): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client({ ...place, database, ssl: false });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  await start();
  return {
    place,
    run,
    start,
    kill: () => end("SIGKILL"),
    standby: async () => {
      const beside = mkdtempSync(join(tmpdir(), "postgres-"));
      if (as.uid !== undefined) chownSync(beside, as.uid, as.gid ?? 0);
      const copy = join(beside, "data");
      const from = [
        "-h",
        "127.0.0.1",
        "-p",
        String(port),
        "-U",
        "svc",
        "-D",
        copy,
        "-R",
        "-X",
        "stream",
        "-c",
        "fast",
        "--no-sync",
      ];
      const env = { ...process.env, PGPASSWORD: password };
      execFileSync(program("pg_basebackup"), from, { ...as, cwd: beside, env, stdio: "ignore" });
      const following = await serve({ directory: beside, data: copy, as, settings });
      await run("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await run("SELECT pg_reload_conf()");
      const promote = async (): Promise<void> => void (await following.run("SELECT pg_promote()"));
      return { ...following, promote };
    },
    giveBack: async (used) => {
      await run("DROP SCHEMA IF EXISTS svc CASCADE", used.database);
      free.push(used);
    },
    database: async () => {
      const used = free.pop();
      if (used !== undefined) return used;
      const name = `store_${(made += 1)}`;
      await run(`CREATE DATABASE ${name}`);
      return { ...place, database: name };
    },
    [Symbol.asyncDispose]: async () => {
      await end("SIGQUIT");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const bouncer = "/usr/sbin/pgbouncer";
export const noBouncer: string | undefined = existsSync(bouncer) ? undefined : "pgbouncer is missing: install pgbouncer";
if (noBouncer !== undefined) console.warn(`SKIPPED: the store behind pgbouncer: ${noBouncer}`);

/** A pooler before a server that hands each transaction to another of four connections. */
export async function startBouncer({ place }: PostgresServer): Promise<AsyncDisposable & { readonly port: number }> {
  const directory = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const port = await freePort();
  const users = join(directory, "users");
  const settings = join(directory, "pgbouncer.ini");
  writeFileSync(users, `"${place.user}" "${password}"\n`, { mode: 0o600 });
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${place.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
`,
  );
  if (as.uid !== undefined) for (const path of [directory, users, settings]) chownSync(path, as.uid, as.gid);
  const child = spawn(bouncer, [settings], { ...as, cwd: directory, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const gone = once(child, "exit");
  while (!said.includes("process up"))
    await Promise.race([once(child.stderr, "data"), gone.then(() => Promise.reject(new Error(said)))]);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await gone;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

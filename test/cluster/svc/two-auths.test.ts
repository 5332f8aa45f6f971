import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rootSocketPath } from "../../../src/cluster/auth/root-socket.ts";
import { isWhole } from "../../whole.ts";
import { askAt } from "../auth/ask.ts";
import { startRelay, type Relay } from "../presence/relay.ts";
import { noPostgres, startPostgres, type PostgresServer } from "../storage/postgres-server.ts";
import { ownPresence } from "./own-presence.ts";
import { freePort, place, service, typed, type Place, type Service } from "./process.ts";

type Presence = AsyncDisposable & {
  /** Of the window in the updater's schedule. */
  readonly hour: () => number | undefined;
};

/** What `svc` runs on a host that has joined. */
function presenceOf({ directory }: Place): Presence {
  const { part, schedule } = ownPresence({ directory, dataDirectory: join(directory, "data") });
  return {
    hour: () => {
      const [, start] = (existsSync(schedule) && /^(\d+) \d+$/m.exec(readFileSync(schedule, "utf8"))) || [];
      return start === undefined ? undefined : (Number(start) / 3600) % 24;
    },
    [Symbol.asyncDispose]: part.stop,
  };
}

const loadMs = isWhole ? 600_000 : 0;

describe.skipIf(noPostgres !== undefined)("two auth services, each on a host of its own", () => {
  let primary: PostgresServer;
  /** One address that leads to the primary, as a virtual address or a balancer does. */
  let address: Relay;
  let database: string;
  beforeAll(async () => {
    primary = await startPostgres();
    database = (await primary.database()).database;
    address = await startRelay(primary.place.port);
  });
  afterAll(async () => {
    await address[Symbol.asyncDispose]();
    await primary[Symbol.asyncDispose]();
  });

  async function host(): Promise<Place> {
    const at = place(`svc: {data_dir: DIR/data}
auth_service:
  cluster_name: example
  report_interval: 1s
  listen_addr: 127.0.0.1:${await freePort()}
  diag_addr: 127.0.0.1:${await freePort()}
  storage:
    type: postgresql
    conn_string: postgresql://svc@127.0.0.1:${address.port}/${database}?sslmode=disable
    password_file: DIR/password
`);
    writeFileSync(join(at.directory, "password"), `${primary.place.password}\n`, { mode: 0o600 });
    return at;
  }

  const portOf = (at: Place, key = "listen_addr"): string =>
    new RegExp(`${key}: \\S+:(\\d+)`).exec(readFileSync(at.config, "utf8"))?.[1] ?? "";

  /** Joined to both. */
  async function joinTo(auths: readonly Place[], at: Place, kind: "node" | "proxy"): Promise<void> {
    const token = join(at.directory, "token");
    const made = await typed("tctl", "tokens", "add", `--type=${kind}`, `--out=${token}`, "-c", auths[0]?.config ?? "");
    const [pin = ""] = /sha256:[0-9a-f]{64}/.exec(made.out) ?? [];
    const servers = auths.map((auth) => `127.0.0.1:${portOf(auth)}`).join(",");
    const words = ["--auth-server", servers, "--token", token, "--ca-pin", pin, "--kind", kind];
    const joined = await typed("join", ...words, "-c", at.config);
    expect([joined.status, joined.error]).toEqual([0, ""]);
  }

  const keyOf = (at: Place): string => join(at.directory, "data/auth/sealing.key");

  test(
    "lose nothing that they answered, whichever is killed, and go on within ten seconds of a new primary",
    { timeout: loadMs + 240_000 },
    async () => {
      await using standby = await primary.standby();
      using one = await host();
      using other = await host();
      const running = new Map<Place, Service>([[one, await service(one.config)]]);
      expect((await typed("start", "-c", other.config)).error).toContain("copy that file from another auth host");
      mkdirSync(join(other.directory, "data/auth"), { recursive: true, mode: 0o700 });
      cpSync(keyOf(one), keyOf(other));
      running.set(other, await service(other.config));

      using web = place(`svc: {data_dir: DIR/data}
proxy_service:
  public_addr: proxy.example.com
  web_listen_addr: 127.0.0.1:${await freePort()}
  diag_addr: 127.0.0.1:${await freePort()}
  automatic_upgrades_channels: {default: {static_version: v15.4.5}}
`);
      await joinTo([one, other], web, "proxy");
      running.set(web, await service(web.config));
      using node = place("svc: {data_dir: DIR/data}\n");
      await joinTo([one, other], node, "node");
      await using presence = presenceOf(node);
      const channel = `http://127.0.0.1:${portOf(web, "web_listen_addr")}/v1/webapi/automaticupgrades/channel/default/version`;

      const answered: string[] = [];
      const refusals = new Set<string>();
      const load = { isOver: false, lastAnswer: 0 };
      async function write(at: Place): Promise<void> {
        const ask = askAt(rootSocketPath(join(at.directory, "data")));
        for (let count = 0; !load.isOver; count += 1) {
          const name = `${at === one ? "one" : "other"}-${count}`;
          const resource = { kind: "user", version: "v2", metadata: { name }, spec: { roles: ["editor"] } };
          try {
            const { status, body } = await ask("ResourceService/CreateResource", { resource });
            if (status === 200) {
              answered.push(name);
              load.lastAnswer = Date.now();
            } else refusals.add((body as { message: string }).message);
          } catch {
            // Its auth is gone: it comes back.
            await sleep(100);
          }
        }
      }
      const writing = Promise.all([one, other].map(write));

      async function goesOn(): Promise<number> {
        const from = Date.now();
        await expect.poll(() => load.lastAnswer, { timeout: 30_000, interval: 20 }).toBeGreaterThan(from);
        return load.lastAnswer - from;
      }
      async function kill(at: Place): Promise<void> {
        const svc = running.get(at)!;
        svc.kill("SIGKILL");
        await svc.ended;
        expect(await goesOn()).toBeLessThan(10_000);
        running.set(at, await service(at.config));
      }
      /** Sets another window, which comes to the host. The proxy serves what it served before. */
      let hour = 0;
      async function followed(): Promise<void> {
        hour = (hour + 1) % 24;
        const spec = { agent_upgrades: { utc_start_hour: hour } };
        const resource = {
          kind: "cluster_maintenance_config",
          version: "v1",
          metadata: { name: "cluster-maintenance-config" },
          spec,
        };
        const set = async (): Promise<number> =>
          (await askAt(rootSocketPath(join(one.directory, "data")))("ResourceService/UpsertResource", { resource })).status;
        await expect.poll(set, { timeout: 10_000 }).toBe(200);
        await expect.poll(presence.hour, { timeout: 20_000 }).toBe(hour);
        expect(await (await fetch(channel)).text()).toBe("v15.4.5\n");
      }

      await followed();
      const until = Date.now() + loadMs;
      do {
        await goesOn();
        await kill(one);
        await followed();
        await kill(other);
        await kill(web);
        await primary.kill();
        expect(await (await fetch(channel)).text()).toBe("v15.4.5\n");
        await primary.start();
        expect(await goesOn()).toBeLessThan(10_000);
        await followed();
      } while (Date.now() < until);

      // The address leads to the standby before that is the primary.
      await primary.kill();
      address.leadsTo = standby.place.port;
      address.cut();
      await expect.poll(() => [...refusals].join(), { timeout: 20_000 }).toContain("it is read-only");
      const diagnostics = /diag_addr: (\S+)/.exec(readFileSync(one.config, "utf8"))?.[1] ?? "";
      const readiness = await fetch(`http://${diagnostics}/readyz`);
      expect([readiness.status, await readiness.json()]).toEqual([
        503,
        expect.objectContaining({ why: expect.stringContaining("it is read-only") }),
      ]);
      await standby.promote();
      expect(await goesOn()).toBeLessThan(10_000);
      await followed();

      load.isOver = true;
      await writing;
      const rows = await standby.run("SELECT name FROM svc.item WHERE kind = 'user'", database);
      const kept = new Set(rows.map(({ name }) => name));
      expect(answered.length).toBeGreaterThan(10);
      expect(answered.filter((name) => !kept.has(name))).toEqual([]);
      const events = await standby.run("SELECT name FROM svc.event WHERE event = 'user.created'", database);
      expect(new Set(events.map(({ name }) => name))).toEqual(kept);
      for (const svc of running.values()) {
        expect(svc.log()).not.toContain("Unhandled");
        await svc[Symbol.asyncDispose]();
      }
    },
  );
});

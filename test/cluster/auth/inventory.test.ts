import { describe, expect } from "vitest";
import { LastReports } from "../../../src/cluster/auth/last-reports.ts";
import { isForgotten } from "../../../src/cluster/auth/silence.ts";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { call, startWithHosts, status, type Answered, type Host, type WithHosts } from "./hosts.ts";
import { testWithHosts as test } from "./fixtures.ts";
import { commit as commitOf, put } from "../storage/filled.ts";

const [minute, hour, day] = [60, 3600, 86_400];
const interval = 10 * minute;

type Ago = { readonly reported?: number; readonly renewed: number; readonly ephemeral?: boolean };

const method = "InventoryService/Report";
const bootId = "0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44";
const updater = {
  kind: "unit",
  package: "svc-ent",
  channel: "stable/cloud",
  installed: "15.4.5",
  served: "15.4.6",
  decision: { kind: "stay", why: "outside-window", until: "2026-01-06T02:00:00Z" },
  outcome: { kind: "moved", version: "15.4.5", at: "2026-01-01T02:00:00Z" },
  window: "schedule",
};
const said = { bootId, counter: "1", hostname: "web1", services: ["node"], version: "15.4.5", updater };

const report = (host: Host, changes: object = {}): Promise<Answered> => call(host.trusting, method, { ...said, ...changes });

type Entry = {
  readonly id: string;
  readonly hostname: string;
  readonly upgrader: string;
  readonly reported?: string;
  readonly silent?: boolean;
  readonly gone?: boolean;
  readonly updater?: object;
  readonly os?: object;
  readonly version?: string;
  readonly misfit?: string;
};
type Listed = { readonly entries?: readonly Entry[]; readonly nextPageToken?: string; readonly now: string };

async function list({ ask }: WithHosts, asked: object = {}): Promise<readonly Entry[]> {
  const { status: code, body } = await ask("InventoryService/ListInventory", asked);
  expect(code).toBe(200);
  return (body as Listed).entries ?? [];
}

async function counterOf({ store }: WithHosts, { id }: Host): Promise<unknown> {
  return (await store.get({ kind: "report", name: id }))?.body["counter"];
}

async function entryOf(auth: WithHosts, { id }: Pick<Host, "id">): Promise<Entry | undefined> {
  return (await list(auth)).find((entry) => entry.id === id);
}

async function configure({ ask }: WithHosts, upgrades: object): Promise<void> {
  const resource = {
    kind: "cluster_maintenance_config",
    version: "v1",
    metadata: { name: "cluster-maintenance-config" },
    spec: { agent_upgrades: upgrades },
  };
  expect(await ask("ResourceService/UpsertResource", { resource })).toMatchObject({ status: 200 });
}

describe("a report", () => {
  test("is kept and listed with all that it says, and writes no audit entry", async ({ running: auth }) => {
    const host = await auth.join("node");
    const { events, row } = { events: await auth.store.events({ most: 100 }), row: await rowOf(auth, host) };
    const times = { heldUntil: "2026-01-07T02:00:00Z", looked: "2026-01-05T02:00:00Z" };
    const outcome = { kind: "undone", version: "15.4.6", fault: "unhealthy", at: "2026-01-01T02:00:00Z" };
    const whole = { ...updater, ...times, outcome, step: "install", rejected: ["15.4.6"], held: true };
    const os = { id: "debian", versionId: "12" };
    expect(await report(host, { updater: whole, os })).toMatchObject({ status: 200 });
    expect(await entryOf(auth, host)).toMatchObject({
      hostname: "web1",
      services: ["node"],
      version: "15.4.5",
      upgrader: "unit",
      updater: whole,
      os,
      reported: expect.stringMatching(/Z$/),
    });
    expect(await auth.store.events({ most: 100 })).toHaveLength(events.length);
    // The first call with its certificate was noted there.
    expect({ ...(await rowOf(auth, host)), current: undefined }).toEqual({ ...row, current: undefined });
  });

  test("counts about its sender alone, whatever it says", async ({ running: auth }) => {
    const [one, other] = [await auth.join("node"), await auth.join("proxy")];
    const claims = { id: other.id, instanceId: other.id, hostname: "proxy1", services: ["auth", "svc-proxy"] };
    expect(await report(one, claims)).toMatchObject({ status: 200 });
    expect(await entryOf(auth, other)).not.toHaveProperty("reported");
    // What auth and proxies are called is theirs alone.
    expect(await entryOf(auth, one)).toMatchObject({ hostname: "proxy1", services: ["node"] });
    // Both are shown: a name takes nobody's place.
    await report(other, { hostname: "proxy1", services: ["proxy"] });
    const named = await list(auth, { host: "proxy1" });
    expect(named.map(({ id }) => id).toSorted()).toEqual([one.id, other.id].toSorted());
  });

  test("that was replayed or overtaken is dropped without a fault", async ({ running: auth }) => {
    const host = await auth.join("node");
    await report(host, { counter: "7", hostname: "new" });
    const { reported } = (await entryOf(auth, host)) ?? {};
    auth.clock.ahead += minute;
    for (const counter of ["7", "6"]) expect(await report(host, { counter, hostname: "old" })).toMatchObject({ status: 200 });
    expect(await entryOf(auth, host)).toMatchObject({ hostname: "new", reported });
    await report(host, { counter: "8", hostname: "newer" });
    expect(await entryOf(auth, host)).toMatchObject({ hostname: "newer" });
    await report(host, { bootId: "another-boot", counter: "1", hostname: "newest" });
    expect(await entryOf(auth, host)).toMatchObject({ hostname: "newest" });
  });

  test("that says what the last one said is known at once, and written when auth ends", async ({ running: auth }) => {
    const host = await auth.join("node");
    await report(host);
    auth.clock.ahead += minute;
    await report(host, { counter: "3" });
    const { reported } = (await entryOf(auth, host)) ?? {};
    expect(Date.parse(reported ?? "")).toBeGreaterThan(Date.now() + 30_000);
    auth.clock.ahead += minute;
    for (const counter of ["3", "2"]) await report(host, { counter, hostname: "old" });
    expect(await entryOf(auth, host)).toMatchObject({ hostname: "web1", reported });
    await auth.auth.stop();
    expect(await counterOf(auth, host)).toBe(3);
  });

  test("that says what the last one said is written when auth looks", async () => {
    await using auth = await startWithHosts({ limits: { lookMs: 20 } });
    const host = await auth.join("node");
    await report(host);
    await report(host, { counter: "2" });
    await expect.poll(() => counterOf(auth, host)).toBe(2);
  });

  test("that says nothing new costs no write of its own, and never comes before one that was", async ({ running: auth }) => {
    const host = await auth.join("node");
    await report(host);
    const { revision } = (await auth.store.get({ kind: "report", name: host.id })) ?? {};
    await report(host, { counter: "2" });
    expect(await auth.store.get({ kind: "report", name: host.id })).toMatchObject({ revision });
    await report(host, { counter: "3", hostname: "web2" });
    await auth.auth.stop();
    expect(await auth.store.get({ kind: "report", name: host.id })).toMatchObject({ body: { counter: 3, hostname: "web2" } });
  });

  test("is written where the last one that was is older than an interval: three are not missed by a power cut", async ({
    running: auth,
  }) => {
    const host = await auth.join("node");
    await report(host, { counter: "1" });
    auth.clock.ahead += interval - minute;
    await report(host, { counter: "2" });
    expect(await counterOf(auth, host)).toBe(1);
    auth.clock.ahead += 2 * minute;
    await report(host, { counter: "3" });
    expect(await counterOf(auth, host)).toBe(3);
  });

  test("is compared with the one before it, though that is not written yet", async ({ running: auth }) => {
    const host = await auth.join("node");
    const { report: handler } = await import("../../../src/cluster/auth/take-report.ts");
    const context = await contextAt(auth, 1_767_571_200);
    const caller = { kind: "instance", of: "node", id: host.id, serial: "1", from: 0, address: "127.0.0.1" } as const;
    const says = (counter: bigint, hostname: string): unknown =>
      handler(context as never, caller, { ...said, goodbye: false, updater: undefined, counter, hostname } as never);
    await says(1n, "web1");
    await Promise.all([says(2n, "web2"), says(3n, "web1")]);
    expect(await entryOf(auth, host)).toMatchObject({ hostname: "web1" });
  });

  test("that says nothing new waits on where the store takes nothing, or is on its way with an earlier one", async ({
    running: auth,
  }) => {
    const host = await auth.join("node");
    await report(host);
    const reports = new LastReports();
    reports.note(host.id, { boot_id: bootId, counter: 2, at: 9 });
    const get = auth.store.get;
    await expect(reports.write({ get, commit: () => Promise.reject(new Error("full")) })).rejects.toThrow("full");
    const commit: typeof auth.store.commit = (wanted) => {
      reports.note(host.id, { boot_id: bootId, counter: 3, at: 9 });
      return auth.store.commit(wanted);
    };
    await reports.write({ get, commit });
    expect(await counterOf(auth, host)).toBe(2);
    await reports.write(auth.store);
    await reports.write({ get: () => Promise.reject(new Error("asked again")), commit });
    expect(await counterOf(auth, host)).toBe(3);
  });

  test("that cannot be written keeps no other one waiting", async () => {
    const reports = new LastReports();
    for (let host = 0; host < 60; host += 1) reports.note(`host-${host}`, { boot_id: bootId, counter: 2, at: 9 });
    const asked: string[] = [];
    const get = ({ name }: { readonly name: string }): Promise<undefined> => {
      asked.push(name);
      return name === "host-0" ? Promise.reject(new Error("damaged")) : Promise.resolve(undefined);
    };
    const store = { get, commit: () => Promise.reject(new Error("there is nothing to be written")) };
    await expect(reports.write(store)).rejects.toThrow("damaged");
    expect(asked).toHaveLength(60);
    await expect(reports.write(store)).rejects.toThrow("damaged");
    expect(asked.slice(60)).toEqual(["host-0"]);
  });

  test("of several at once leaves the newest", async ({ running: auth }) => {
    const host = await auth.join("node");
    const counters = ["4", "1", "3", "2"];
    const answers = await Promise.all(counters.map((counter) => report(host, { counter, hostname: `web${counter}` })));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await entryOf(auth, host)).toMatchObject({ hostname: "web4" });
  });

  test("keeps words of a later release", async ({ running: auth }) => {
    const host = await auth.join("node");
    const later = { decision: { kind: "ponder", why: "moon, “full”" }, outcome: { kind: "half", fault: "new-fault" } };
    expect(await report(host, { updater: { ...updater, ...later } })).toMatchObject({ status: 200 });
    expect(await entryOf(auth, host)).toMatchObject({ updater: later });
  });

  test("with what no host has is refused, and says where", async ({ running: auth }) => {
    const host = await auth.join("node");
    for (const [changes, at] of [
      [{ hostname: "\u001B[31mred" }, ".hostname"],
      [{ hostname: "7C9E6679-7425-40DE-944B-E07FC1F90AE7" }, ".hostname"],
      [{ bootId: "x\ny" }, ".boot_id"],
      [{ counter: "9007199254740993" }, ".counter"],
      [{ version: "1\u0000" }, ".version"],
      [{ services: ["a\nb"] }, ".services[0]"],
      [{ os: { id: "debian\n" } }, ".os.id"],
      [{ os: { id: "debian", versionId: "x".repeat(129) } }, ".os.version_id"],
      [{ services: Array.from({ length: 17 }, () => "node") }, ".services"],
      [{ updater: { ...updater, kind: "cron" } }, ".updater.kind"],
      [{ updater: { ...updater, window: "open" } }, ".updater.window"],
      [{ updater: { ...updater, package: "x".repeat(129) } }, ".updater.package"],
      [{ updater: { ...updater, step: "a\u009Bb" } }, ".updater.step"],
      [{ updater: { ...updater, decision: { kind: "stay", why: "\u202Ereversed" } } }, ".updater.decision.why"],
      [{ updater: { ...updater, looked: "1969-12-31T23:59:59Z" } }, ".updater.looked"],
      [{ updater: { ...updater, rejected: Array.from({ length: 17 }, () => "1.0.0") } }, ".updater.rejected"],
    ] as const) {
      const answer = await report(host, changes);
      const details = [{ debug: { code: "request-refused", wrong: [{ at }] } }];
      expect([changes, answer]).toMatchObject([changes, { status: 400, body: { details } }]);
    }
    expect(await auth.store.count("report")).toBe(0);
  });

  // JSON has no such times, but the binary form has: one of them in the store would spoil every list.
  test.each([10n ** 12n, -1n, 2n ** 62n])("with the time %d is refused", async (far) => {
    await using auth = await startWithHosts();
    const host = await auth.join("node");
    const { report: handler } = await import("../../../src/cluster/auth/take-report.ts");
    const caller = { kind: "instance", of: "node", id: host.id, serial: "1", from: 0, address: "127.0.0.1" } as const;
    const request = { ...said, counter: 1n, goodbye: false, updater: { ...plainUpdater, looked: { seconds: far, nanos: 0 } } };
    const context = await contextAt(auth, 1_767_571_200);
    await expect(handler(context as never, caller, request as never)).rejects.toMatchObject({ code: "request-refused" });
    expect(await auth.store.count("report")).toBe(0);
  });
});

describe("the answer to a report", () => {
  type Told = {
    readonly hasWindow?: boolean;
    readonly openings?: readonly { readonly start: string; readonly stop: string }[];
    readonly reportAfterSeconds: number;
    readonly now: string;
  };

  /** By auth's clock it is this moment, whatever this machine's says. */
  const monday = 1_767_571_200;
  async function toldAt(at: number, upgrades: object | undefined, channel = "default"): Promise<Told> {
    await using auth = await startWithHosts();
    const host = await auth.join("node");
    if (upgrades !== undefined) await configure(auth, upgrades);
    const { report: handler } = await import("../../../src/cluster/auth/take-report.ts");
    const context = await contextAt(auth, at);
    const caller = { kind: "instance", of: "node", id: host.id, serial: "1", from: 0, address: "127.0.0.1" } as const;
    const request = { ...said, counter: 1n, goodbye: false, updater: undefined };
    const asked = channel === "default" ? request : { ...request, updater: { ...plainUpdater, channel } };
    const { hasWindow, openings, reportAfterSeconds } = await handler(context as never, caller, asked as never);
    const shown = (openings ?? []).map(({ start, stop }) => ({
      start: printInstant(Number(start?.seconds)),
      stop: printInstant(Number(stop?.seconds)),
    }));
    return { hasWindow: hasWindow ?? false, openings: shown, reportAfterSeconds: reportAfterSeconds ?? 0, now: "" };
  }

  test("says that no window is configured", async ({ running: auth }) => {
    const host = await auth.join("node");
    const { body } = await report(host);
    expect(body).not.toHaveProperty("hasWindow");
    expect(body).not.toHaveProperty("openings");
    expect(Math.abs(Date.parse((body as Told).now) - Date.now())).toBeLessThan(10_000);
  });

  test("says over the wire that one is, and when it opens", async ({ running: auth }) => {
    const host = await auth.join("node");
    await configure(auth, { utc_start_hour: 2 });
    const { body } = await report(host);
    expect(body).toMatchObject({ hasWindow: true });
    expect((body as Told).openings?.length).toBeGreaterThanOrEqual(8);
  });

  test("is a fault where the stored window cannot be read, and not that no window is configured", async ({ running: auth }) => {
    const host = await auth.join("node");
    const [kind, name] = ["cluster_maintenance_config", "cluster-maintenance-config"];
    await auth.store.commit(commitOf([put(kind, name, { kind, name, spec: { agent_upgrades: { utc_start_hour: "two" } } })]));
    const told = await report(host);
    expect([told.status, JSON.stringify(told.body)]).toEqual([500, expect.stringContaining("store-unreadable")]);
  });

  test("holds the windows of eight days", async () => {
    const { hasWindow, openings } = await toldAt(monday, { utc_start_hour: 2, weekdays: ["Tue", "Mon"] });
    expect(hasWindow).toBe(true);
    expect(openings).toEqual([
      { start: "2026-01-05T02:00:00Z", stop: "2026-01-05T03:00:00Z" },
      { start: "2026-01-06T02:00:00Z", stop: "2026-01-06T03:00:00Z" },
      { start: "2026-01-12T02:00:00Z", stop: "2026-01-12T03:00:00Z" },
    ]);
  });

  test("holds the next opening behind a freeze of weeks, and no piece that is too short", async () => {
    const blackouts = [
      { from: "2026-01-04T00:00:00Z", to: "2026-02-01T00:00:00Z" },
      { from: "2026-02-02T02:09:00Z", to: "2026-02-02T02:40:00Z" },
    ];
    const { hasWindow, openings } = await toldAt(monday, { utc_start_hour: 2, weekdays: ["Mon"], blackouts });
    expect([hasWindow, openings]).toEqual([true, [{ start: "2026-02-02T02:40:00Z", stop: "2026-02-02T03:00:00Z" }]]);
  });

  test("holds the window of the host's channel", async () => {
    const channels = { canary: { utc_start_hour: 5, weekdays: ["Wed"] } };
    const { openings } = await toldAt(monday, { utc_start_hour: 2, weekdays: ["Mon"], channels }, "canary");
    expect(openings?.map(({ start }) => start)).toEqual(["2026-01-07T05:00:00Z"]);
  });

  test("says when to report again: spread, and never later than the interval", async () => {
    await using auth = await startWithHosts({ times: { reportSeconds: 100 } });
    const host = await auth.join("node");
    const after: number[] = [];
    for (let counter = 1; counter <= 20; counter += 1) {
      after.push(((await report(host, { counter: String(counter) })).body as Told).reportAfterSeconds);
    }
    expect(Math.min(...after)).toBeGreaterThanOrEqual(80);
    expect(Math.max(...after)).toBeLessThanOrEqual(100);
    expect(new Set(after).size).toBeGreaterThan(1);
  });

  test("says one second where that is the interval", async () => {
    await using auth = await startWithHosts({ times: { reportSeconds: 1 } });
    expect((await report(await auth.join("node"))).body).toMatchObject({ reportAfterSeconds: 1 });
  });
});

describe("the inventory", () => {
  test("tells silent, gone and never reported apart, and forgets after 30 days", async ({ running: auth }) => {
    const [quiet, gone, never] = [await auth.join("node"), await auth.join("node"), await auth.join("proxy")];
    await report(quiet);
    await report(gone, { goodbye: true });
    const standings = async (): Promise<readonly unknown[]> =>
      Promise.all(
        [quiet, gone, never].map(async (host) => {
          const found = await entryOf(auth, host);
          return found === undefined ? "left out" : [found.silent ?? false, found.gone ?? false, found.reported !== undefined];
        }),
      );
    expect(await standings()).toEqual([
      [false, false, true],
      [false, true, true],
      [false, false, false],
    ]);
    auth.clock.ahead += 3 * interval - 20;
    expect(await standings()).toEqual([
      [false, false, true],
      [false, true, true],
      [false, false, false],
    ]);
    auth.clock.ahead += 40;
    expect(await standings()).toEqual([
      [true, false, true],
      [false, true, true],
      [true, false, false],
    ]);
    auth.clock.ahead = 30 * day + minute;
    expect(await standings()).toEqual(["left out", "left out", "left out"]);
    expect(await auth.store.count("report")).toBe(2);
  });

  test("has nobody who was removed", async ({ running: auth }) => {
    const host = await auth.join("node");
    await report(host);
    await auth.ask("InstanceService/RemoveInstance", { id: host.id });
    expect(await entryOf(auth, host)).toBeUndefined();
  });

  test.each([
    ["a host that reported a month ago", { reported: 30 * day, renewed: 30 * day }, false],
    ["a host that reported longer ago", { reported: 30 * day + 1, renewed: 40 * day }, true],
    ["one of an earlier release, which renews and does not report", { renewed: day }, false],
    ["an ephemeral host within the hour", { reported: hour, renewed: day, ephemeral: true }, false],
    ["an ephemeral host after an hour", { reported: hour + 1, renewed: day, ephemeral: true }, true],
  ])("forgets or keeps %s", (_what, { reported, renewed, ephemeral = false }: Ago, forgotten) => {
    const now = 1_767_571_200;
    const row = { renewed: now - renewed, ephemeral };
    const last = reported === undefined ? undefined : { at: now - reported };
    expect(isForgotten({ row, report: last } as never, { now, reportSeconds: interval, absences: [] })).toBe(forgotten);
  });

  test("has auth itself, which is not silent while it answers", async ({ running: auth }) => {
    auth.clock.ahead += day;
    expect(await list(auth)).toMatchObject([{ hostname: "auth1", services: ["auth"], version: "15.4.5", upgrader: "none" }]);
    expect((await list(auth))[0]).not.toHaveProperty("silent");
  });

  test("is chosen from by upgrader: one whose timer is off is not enrolled, and a proxy without one need not be", async ({
    running: auth,
  }) => {
    const kinds = ["unit", "off", "kube", undefined];
    for (const [index, kind] of kinds.entries()) {
      const host = await auth.join("node");
      await report(host, { hostname: `web${index}`, updater: kind === undefined ? undefined : { ...updater, kind } });
    }
    for (const [hostname, kind] of [
      ["proxy0", "unit"],
      ["proxy1", undefined],
    ] as const) {
      const host = await auth.join("proxy");
      await report(host, { hostname, updater: kind === undefined ? undefined : { ...updater, kind } });
    }
    const names = async (upgrader: string): Promise<readonly string[]> =>
      (await list(auth, { upgrader })).map(({ hostname }) => hostname).toSorted();
    expect(await names("none")).toEqual(["web1", "web3"]);
    expect(await names("unit")).toEqual(["proxy0", "web0"]);
    expect(await names("kube")).toEqual(["web2"]);
    const all = await list(auth, { upgrader: "none", services: true });
    expect(all.map(({ hostname }) => hostname).toSorted()).toEqual(["auth1", "proxy1", "web1", "web3"]);
    expect(await auth.ask("InventoryService/ListInventory", { upgrader: "cron" })).toMatchObject({ status: 400 });
  });

  test("has one host by its id or its name, and marks a major that does not go with auth's", async ({ running: auth }) => {
    const hosts = [await auth.join("node"), await auth.join("node"), await auth.join("node")] as const;
    for (const [index, version] of ["14.9.9", "13.0.0", "16.0.0-rc.1"].entries()) {
      await report(hosts[index]!, { hostname: index === 0 ? "web1" : "web2", version });
    }
    const [{ id }] = hosts;
    expect((await list(auth, { host: id })).map((entry) => entry.id)).toEqual([id]);
    expect(await list(auth, { host: "web9" })).toEqual([]);
    const told = [...(await list(auth, { host: "web1" })), ...(await list(auth, { host: "web2" }))];
    const misfits = told.map(({ version, misfit = "" }) => `${version} ${misfit}`).toSorted();
    expect(misfits).toEqual(["13.0.0 older", "14.9.9 ", "16.0.0-rc.1 newer"]);
  });

  test("leaves out updaters and operating systems where it is to be brief", async ({ running: auth }) => {
    const host = await auth.join("node");
    await report(host, { hostname: "web1", updater, os: { id: "debian" } });
    const [whole, brief] = [await list(auth, { host: "web1" }), await list(auth, { host: "web1", brief: true })];
    expect(whole).toMatchObject([{ id: host.id, upgrader: "unit", updater: { kind: "unit" }, os: { id: "debian" } }]);
    const { updater: _, os: _os, ...rest } = whole[0]!;
    expect(brief).toEqual([rest]);
  });

  test("comes in pages, each instance once with its own report", async ({ running: auth }) => {
    const hosts: Host[] = [];
    for (let index = 0; index < 5; index += 1) {
      const host = await auth.join("node");
      hosts.push(host);
      if (index !== 2) await report(host, { hostname: `h-${host.id}` });
    }
    const found: Entry[] = [];
    for (let pageToken = ""; ;) {
      const { body } = await auth.ask("InventoryService/ListInventory", { pageSize: 2, pageToken });
      const { entries = [], nextPageToken = "" } = body as Listed;
      expect(entries.length).toBeLessThanOrEqual(2);
      found.push(...entries);
      pageToken = nextPageToken;
      if (pageToken === "") break;
    }
    expect(new Set(found.map(({ id }) => id)).size).toBe(6);
    for (const { id, hostname, reported } of found) if (reported !== undefined) expect(hostname).toBe(`h-${id}`);
  });
});

describe("the status", () => {
  const waiting = async (auth: WithHosts): Promise<number> => {
    const { body } = await auth.ask(status, {});
    return (body as { readonly waitingHosts?: number }).waitingHosts ?? 0;
  };

  test("counts the hosts that wait for a window, and none once there is one", async ({ running: auth }) => {
    const windows = ["schedule", "none", "setting"];
    for (const window of windows) await report(await auth.join("node"), { updater: { ...updater, window } });
    await report(await auth.join("node"), { updater: undefined });
    await report(await auth.join("proxy"));
    const removed = await auth.join("node");
    await report(removed);
    await auth.ask("InstanceService/RemoveInstance", { id: removed.id });
    // A proxy's host may keep an agent as well.
    expect(await waiting(auth)).toBe(3);
    await configure(auth, { utc_start_hour: 2 });
    expect(await waiting(auth)).toBe(0);
  });

  test("is counted at each call of people, and for hosts not", async ({ running: auth }) => {
    const host = await auth.join("node");
    const nodes = async (asking: Promise<{ readonly body: unknown }>): Promise<number | undefined> =>
      ((await asking).body as Counts).instances.find(({ kind }) => kind === "node")?.count;
    expect(await nodes(auth.ask(status, {}))).toBe(1);
    await auth.join("node");
    expect(await nodes(call(host.trusting, status, {}))).toBe(1);
    expect(await nodes(auth.ask(status, {}))).toBe(2);
    expect(await nodes(call(host.trusting, status, {}))).toBe(2);
  });
});

type Counts = { readonly instances: readonly { readonly kind: string; readonly count?: number }[] };

const plainUpdater = {
  kind: "unit",
  package: "",
  installed: "",
  served: "",
  step: "",
  rejected: [],
  held: false,
  window: "none",
};

async function rowOf({ store }: WithHosts, { id }: Host): Promise<object> {
  return (await store.get({ kind: "instance", name: id }))?.body ?? {};
}

async function contextAt({ store }: WithHosts, at: number): Promise<object> {
  return {
    store,
    lastReports: new LastReports(),
    underWay: new Map(),
    times: { reportSeconds: interval },
    now: () => at,
    log: () => undefined,
  };
}

describe("the list", () => {
  test("holds those that fit all that is asked for", async ({ running: auth }) => {
    const hosts: Record<string, Host> = {};
    const made: Record<string, object> = {
      well: { updater: { ...updater, installed: "15.4.6" }, labels: { rack: "a1" } },
      lags: { updater, labels: { rack: "a2" } },
      fell: {
        updater: { ...updater, outcome: { kind: "undone", version: "15.4.6" }, decision: { kind: "stay", why: "rejected" } },
      },
      other: { updater: { ...updater, channel: "canary", installed: "v14.0.0", served: "" } },
      bare: { updater: undefined, version: "15.4.4" },
    };
    for (const [hostname, changes] of Object.entries(made)) {
      hosts[hostname] = await auth.join("node");
      expect(await report(hosts[hostname], { hostname, ...changes })).toMatchObject({ status: 200 });
    }
    for (const [name, labels] of [
      ["well", { env: "prod" }],
      ["lags", { env: "prod", site: "b" }],
    ] as const)
      await auth.ask("InstanceService/LabelInstance", { id: hosts[name]!.id, labels });
    const named = async (asked: object): Promise<string> =>
      (await list(auth, asked))
        .map(({ hostname }) => hostname)
        .filter((hostname) => Object.hasOwn(made, hostname))
        .toSorted()
        .join(" ");
    expect(await named({ labels: { env: "prod" } })).toBe("lags well");
    expect(await named({ labels: { env: "*", "host/rack": "a2" } })).toBe("lags");
    expect(await named({ labels: { rack: "a2" } }), "its own labels are under host/").toBe("");
    expect(await named({ labels: { toString: "*" } })).toBe("");
    expect(await named({ lagging: true })).toBe("fell lags");
    expect(await named({ lagging: true, labels: { env: "prod" } })).toBe("lags");
    expect(await named({ failed: true })).toBe("fell");
    expect(await named({ why: "outside-window" })).toBe("lags other well");
    expect(await named({ channel: "canary" })).toBe("other");
    expect(await named({ version: "v15.4.5" })).toBe("fell lags");
    expect(await named({ olderThan: "15.4.5" })).toBe("bare other");
    expect(await named({ silent: true })).toBe("");
    expect((await list(auth, { host: "lags" }))[0]).toMatchObject({ labels: { env: "prod", site: "b", "host/rack": "a2" } });
    expect((await auth.ask("InventoryService/ListInventory", { olderThan: "new" })).status).toBe(400);
  });
});

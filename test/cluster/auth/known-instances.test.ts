import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { instanceKey, instanceRow } from "../../../src/cluster/auth/instance-row.ts";
import { KnownInstances } from "../../../src/cluster/auth/known-instances.ts";
import { LastReports } from "../../../src/cluster/auth/last-reports.ts";
import { reportedAfter } from "../../../src/cluster/auth/list-reported.ts";
import { reportKey, reportRow } from "../../../src/cluster/auth/report-row.ts";
import { bodyOf } from "../../../src/cluster/auth/row-forms.ts";
import type { Pin } from "../../../src/cluster/identity/pin.ts";
import type { Change, Item } from "../../../src/cluster/storage/port.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";

async function started() {
  const directory = mkdtempSync(join(tmpdir(), "known-"));
  const store = await openSqliteStore({ path: join(directory, "cluster.db"), release: "15.4.5" });
  let read = 0;
  const given = { store };
  const counting = async (items: Promise<readonly Item[]>): Promise<readonly Item[]> => {
    read += (await items).length;
    return items;
  };
  const instances = new KnownInstances({
    list: (kind, page) => counting(given.store.list(kind, page)),
    changed: (...asked) => counting(given.store.changed(...asked)),
  });
  const commit = (...changes: readonly Change[]) => store.commit({ at: 0, by: "test", changes, audit: [] });
  return {
    store,
    given,
    instances,
    join: (id: string, removed?: number) => commit(instancePut(id, removed)),
    report: (id: string, hostname: string) => commit(reportPut(id, hostname)),
    commit,
    /** Each id with the name in its report, and how many rows were read for it. */
    list: async (after = ""): Promise<readonly [string, number]> => {
      read = 0;
      const all: string[] = [];
      for await (const { id, row, report } of reportedAfter({ instances, lastReports: new LastReports() }, after))
        all.push(`${id}:${row.removed === undefined ? (report?.hostname ?? "") : "removed"}`);
      return [all.join(" "), read];
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const anything = { kind: "anything" } as const;

function instancePut(id: string, removed?: number): Change {
  const key = `sha256:${"0".repeat(64)}` as Pin;
  const about = { hostname: id, services: [], version: "", labels: {}, ephemeral: false, token: "t" };
  const times = { joined: 0, renewed: 0, certificate_until: 0, cloned: undefined, removed };
  const row = { kind: "node", ...about, key, current: undefined, issued: "1", authority: undefined, ...times } as const;
  return { kind: "put", item: instanceKey(id), body: bodyOf(instanceRow, row), expect: anything };
}

function reportPut(id: string, hostname: string): Change {
  const about = { boot_id: "1", counter: 1, hostname, services: [], version: "", os: undefined, updater: undefined };
  const row = { ...about, public_addr: "", labels: {}, goodbye: false, at: 0, ended: undefined, unhealthy_since: undefined };
  return { kind: "put", item: reportKey(id), body: bodyOf(reportRow, row), expect: anything };
}

describe("the instances in memory", () => {
  test("are in order, have at once what anybody has committed, and read nothing else again", async () => {
    await using cluster = await started();
    expect(await cluster.list()).toEqual(["", 0]);
    for (const id of ["d", "b"]) await cluster.join(id);
    await cluster.report("d", "one");
    expect((await cluster.list())[0]).toBe("b: d:one");
    // Each look reads the last row of both kinds again.
    expect(await cluster.list()).toEqual(["b: d:one", 2]);
    for (const id of ["a", "c"]) await cluster.join(id);
    await cluster.report("d", "two");
    expect(await cluster.list()).toEqual(["a: b: c: d:two", 4]);
    await cluster.join("b", 1);
    expect(await cluster.list("a")).toEqual(["b:removed c: d:two", 3]);
    expect(await cluster.list("bb")).toEqual(["c: d:two", 2]);
  });

  test("are all there in a large cluster, which changes while it is read", async () => {
    await using cluster = await started();
    const ids = Array.from({ length: 1250 }, (_, index) => `h${String(index).padStart(4, "0")}`);
    const put = async (hostname: string): Promise<void> => {
      for (let from = 0; from < ids.length; from += 50)
        await cluster.commit(...ids.slice(from, from + 50).flatMap((id) => [instancePut(id), reportPut(id, hostname)]));
    };
    await put("old");
    const [listed] = await Promise.all([cluster.list(), put("new")]);
    expect(listed[0].split(" ")).toHaveLength(ids.length);
    expect((await cluster.list())[0]).toBe(ids.map((id) => `${id}:new`).join(" "));
  });

  test("have a report that was read before its instance", async () => {
    await using cluster = await started();
    await cluster.commit(instancePut("a"), reportPut("a", "one"));
    await cluster.list();
    await cluster.report("b", "two");
    expect((await cluster.list())[0]).toBe("a:one");
    await cluster.join("b");
    expect((await cluster.list())[0]).toBe("a:one b:two");
  });

  test("are read again where the store has lost commits, and their numbers come a second time", async () => {
    await using cluster = await started();
    await using standby = await started();
    for (const { commit } of [cluster, standby]) await commit(instancePut("a"), reportPut("a", "one"));
    await cluster.join("b");
    await cluster.report("a", "lost");
    expect((await cluster.list())[0]).toBe("a:lost b:");
    await standby.join("c");
    for (const hostname of ["two", "three"]) await standby.report("c", hostname);
    cluster.given.store = standby.store;
    expect((await cluster.list())[0]).toBe("a:one c:three");
  });

  test("are looked at once for all who ask meanwhile, and that look has what was committed before", async () => {
    await using cluster = await started();
    await cluster.join("a");
    await cluster.list();
    const gate = Promise.withResolvers<void>();
    let looks = 0;
    const changed: typeof cluster.store.changed = async (kind, asked) => {
      const items = await cluster.store.changed(kind, asked);
      if (kind === "instance") looks += 1;
      if (kind === "instance") await gate.promise;
      return items;
    };
    cluster.given.store = { ...cluster.store, changed };
    const first = cluster.list();
    await expect.poll(() => looks).toBe(1);
    const committed = cluster.join("b");
    const later = [1, 2, 3].map(async () => (await committed, (await cluster.list())[0]));
    await committed;
    gate.resolve();
    await first;
    expect(await Promise.all(later)).toEqual(["a: b:", "a: b:", "a: b:"]);
    expect(looks).toBe(2);
  });

  test("are not told while a row cannot be read, and are when it can", async () => {
    await using cluster = await started();
    await cluster.join("a");
    await cluster.list();
    await cluster.commit({ kind: "put", item: instanceKey("b"), body: { kind: "what" }, expect: anything });
    await expect(cluster.list()).rejects.toMatchObject({ code: "store-unreadable" });
    await expect(cluster.list()).rejects.toMatchObject({ code: "store-unreadable" });
    await cluster.join("b");
    expect((await cluster.list())[0]).toBe("a: b:");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  AuditEntry,
  Change,
  Commit,
  DumpLine,
  Expectation,
  Item,
  JsonObject,
  Revision,
  Store,
} from "../../../src/cluster/storage/port.ts";
import { commit, entry } from "./filled.ts";

/** An empty store, which is closed and gone after the test. */
export type OpenEmpty = () => Promise<Store>;

/** What every adapter has to do alike. */
export function conformance(open: OpenEmpty): void {
  describe("commits", () => {
    it.each<[string, Expectation, boolean, boolean]>([
      ["absent", { kind: "absent" }, true, false],
      ["present", { kind: "present" }, false, true],
      ["anything", { kind: "anything" }, true, true],
      ["its revision", { kind: "revision", revision: "1" as Revision }, false, true],
      ["another revision", { kind: "revision", revision: "7" as Revision }, false, false],
    ])("where it expects %s", async (_, expected, whereAbsent, wherePresent) => {
      for (const make of [put, remove, check]) {
        const store = await open();
        const found = async (): Promise<boolean> => (await store.commit(commit([make("role", "a", expected)]))).kind === "done";
        expect(await found()).toBe(whereAbsent);
        const other = await open();
        await other.commit(commit([put("role", "a", { kind: "absent" })]));
        expect((await other.commit(commit([make("role", "a", expected)]))).kind === "done").toBe(wherePresent);
      }
    });

    it("say which change was overtaken and by what, and leave nothing behind", async () => {
      const store = await open();
      await store.commit(commit([put("role", "b", { kind: "absent" }, { by: "first" })]));
      const second = commit(
        [
          put("role", "a", { kind: "absent" }),
          remove("role", "b", { kind: "anything" }),
          put("role", "b", { kind: "present" }),
          put("role", "c", { kind: "absent" }),
        ],
        [entry("late")],
      );
      const found = await store.get({ kind: "role", name: "b" });
      expect(await store.commit(second)).toEqual({ kind: "overtaken", change: 2, found });
      expect(await store.list("role", { after: undefined, most: 100 })).toEqual([found]);
      expect(await store.events({ most: 100 })).toEqual([]);
      expect((await store.about()).revision).toBe("1");
    });

    it("let one of many win that come at once", async () => {
      const store = await open();
      const rivals = Array.from({ length: 50 }, (_, by) => store.commit(commit([put("role", "a", { kind: "absent" }, { by })])));
      const answers = await Promise.all(rivals);
      expect(answers.filter(({ kind }) => kind === "done")).toHaveLength(1);
      expect(await store.count("role")).toBe(1);
    });

    it("that come at once are each by themselves: what is wrong with one is nobody else's fault", async () => {
      const store = await open();
      const fine = (from: number): readonly Commit[] =>
        Array.from({ length: 60 }, (_, index) => commit([put("role", `r${from + index}`, { kind: "absent" })], [entry("x")]));
      const overtaken = commit([put("role", "a", { kind: "anything" }), put("role", "b", { kind: "present" })], [entry("late")]);
      const tooLarge = commit([
        put("role", "c", { kind: "anything" }),
        put("role", "d", { kind: "anything" }, { text: "x".repeat(5e6) }),
      ]);
      const wanted = [...fine(0), overtaken, ...fine(60), tooLarge, ...fine(120)];
      const answers = await Promise.allSettled(wanted.map((one) => store.commit(one)));
      const told = answers.map((answer) => (answer.status === "fulfilled" ? answer.value.kind : answer.reason.code));
      const expected = wanted.map((one) => (one === overtaken ? "overtaken" : one === tooLarge ? "request-refused" : "done"));
      expect(told).toEqual(expected);
      expect([await store.count("role"), (await store.about()).revision]).toEqual([180, "180"]);
      expect(await store.events({ event: "late", most: 10 })).toEqual([]);
    });

    it("that were not answered when the store is closed are answered first", async () => {
      const store = await open();
      const last = store.commit(commit([put("role", "a", { kind: "absent" })]));
      await store.close();
      expect(await last).toMatchObject({ kind: "done" });
    });

    it("count one with each, an empty one too", async () => {
      const store = await open();
      for (const revision of ["1", "2", "3"]) expect(await store.commit(commit([]))).toEqual({ kind: "done", revision });
    });

    it("are refused where there are too many rows in one, or no whole seconds", async () => {
      const store = await open();
      const many = Array.from({ length: 101 }, (_, index) => put("role", `r${index}`, { kind: "absent" }));
      await expect(store.commit(commit(many))).rejects.toThrow(RangeError);
      await expect(store.commit(commit([], entries("x", 101)))).rejects.toThrow(RangeError);
      await expect(store.commit({ ...commit([]), at: 1.5 })).rejects.toThrow(RangeError);
      expect((await store.about()).revision).toBe("0");
    });
  });

  describe("items", () => {
    it("come in the order of the bytes of their names, page by page", async () => {
      const store = await open();
      const names = ["b", "a", "B", "é", "～", "😀", "", "a b", "a\u0001", "Z"].map((name) => `n${name}`);
      await store.commit(commit(names.map((name) => put("role", name, { kind: "absent" }))));
      await store.commit(commit([put("rolf", "na", { kind: "absent" }), put("rol", "na", { kind: "absent" })]));
      const seen: string[] = [];
      for (let after: string | undefined; ; after = seen.at(-1)) {
        const page = await store.list("role", { after, most: 3 });
        seen.push(...page.map(({ name }) => name));
        if (page.length < 3) break;
      }
      expect(seen).toEqual(names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
      expect(await store.count("role")).toBe(names.length);
    });

    it("come in the order of their last changes, from the one that was read last on", async () => {
      const store = await open();
      const names = (items: readonly Item[]): string => items.map(({ name, revision }) => `${name}${revision}`).join(" ");
      expect(await store.changed("role", { from: undefined, most: 1 })).toEqual([]);
      await store.commit(commit(["c", "a", "b"].map((name) => put("role", name, { kind: "absent" }))));
      await store.commit(commit([put("rolf", "a", { kind: "absent" }), put("role", "a", { kind: "present" })]));
      const [newest, ...others] = await store.changed("role", { from: undefined, most: 5 });
      expect([newest, others]).toEqual([await store.get({ kind: "role", name: "a" }), []]);
      const first = { revision: "1" as Revision, name: "b" };
      expect(names(await store.changed("role", { from: first, most: 100 }))).toBe("b1 c1 a2");
      expect(names(await store.changed("role", { from: first, most: 2 }))).toBe("b1 c1");
      await store.commit(commit([put("role", "b", { kind: "present" }), remove("role", "c", { kind: "present" })]));
      expect(names(await store.changed("role", { from: first, most: 100 }))).toBe("a2 b3");
      for (let revision = 4; revision <= 10; revision += 1) await store.commit(commit([put("role", "a", { kind: "present" })]));
      expect(names(await store.changed("role", { from: { revision: "9" as Revision, name: "a" }, most: 9 }))).toBe("a10");
    });

    it("are read by the thousand, and others go on in between", async () => {
      const store = await open();
      const names = Array.from({ length: 300 }, (_, index) => `n${String(index).padStart(3, "0")}`);
      for (let first = 0; first < 300; first += 50) {
        await store.commit(commit(names.slice(first, first + 50).map((name) => put("role", name, { kind: "absent" }))));
      }
      let turns = 0;
      let others: NodeJS.Immediate = setImmediate(function turn() {
        turns += 1;
        others = setImmediate(turn);
      });
      let after: string | undefined;
      for (let page = 0; page < 3; page += 1) after = (await store.list("role", { after, most: 100 })).at(-1)?.name;
      clearImmediate(others);
      expect([after, turns >= 3]).toEqual(["n299", true]);
    });

    it.each([0, 101, 1.5, Number.NaN])("are not listed %s at once", async (most) => {
      await expect((await open()).list("role", { after: undefined, most })).rejects.toThrow(RangeError);
    });

    it.each([
      ["an empty name", ""],
      ["a zero byte", "a\0b"],
      ["half a character", "a\ud800"],
      ["more than 1024 bytes", "é".repeat(513)],
    ])("are not kept under %s", async (_, name) => {
      const store = await open();
      const refused = { code: "request-refused" };
      await expect(store.commit(commit([put("role", name, { kind: "anything" })]))).rejects.toMatchObject(refused);
      await expect(store.commit(commit([put(name, "a", { kind: "anything" })]))).rejects.toMatchObject(refused);
      await expect(store.get({ kind: "role", name })).rejects.toMatchObject(refused);
    });

    it.each<[string, JsonObject]>([
      ["odd characters", { "": "\0\u0001\ud800\udfff\u2028😀", "\ud800": [null, true, -0.5e-7] }],
      ["keys of every object", JSON.parse('{"__proto__": {"constructor": 1}, "toString": 2}') as JsonObject],
      ["a megabyte", { text: "x".repeat(1024 * 1024) }],
      ["much depth", JSON.parse(`{"a":${"[".repeat(500)}${"]".repeat(500)}}`) as JsonObject],
    ])("give back %s as they were", async (_, body) => {
      const store = await open();
      await store.commit({ ...commit([put("role", "a", { kind: "absent" }, body)]), at: 1e10, by: "who\0\ud800" });
      const item: Item = { kind: "role", name: "a", revision: "1" as Revision, changedAt: 1e10, changedBy: "who\0\ud800", body };
      expect(JSON.stringify(await store.get({ kind: "role", name: "a" }))).toBe(JSON.stringify(item));
      expect(await store.list("role", { after: undefined, most: 1 })).toEqual([item]);
    });

    it("are refused where they are larger than any call", async () => {
      const huge = { text: "x".repeat(5 * 1024 * 1024) };
      const store = await open();
      await expect(store.commit(commit([put("role", "a", { kind: "absent" }, huge)]))).rejects.toMatchObject({
        code: "request-refused",
      });
      expect(await store.count("role")).toBe(0);
    });
  });

  describe("events", () => {
    const odd = { ...entry("x"), event: 'a"b\\', actor: "\0\ud800", name: "é", before: { a: null }, detail: "\n" };

    it("are found by each of their keys, the newest first", async () => {
      const store = await open();
      await store.commit({ ...commit([], [entry("one"), odd]), at: 100 });
      // The clock goes backwards.
      await store.commit({ ...commit([], [entry("two")]), at: 50 });
      const numbers = async (query: object): Promise<readonly number[]> =>
        (await store.events({ most: 100, ...query })).map(({ number }) => number);
      expect(await numbers({})).toEqual([3, 2, 1]);
      expect(await numbers({ before: 3 })).toEqual([2, 1]);
      expect(await numbers({ since: 100 })).toEqual([2, 1]);
      expect(await numbers({ until: 100 })).toEqual([3]);
      expect(await numbers({ event: odd.event })).toEqual([2]);
      expect(await numbers({ actor: odd.actor })).toEqual([2]);
      expect(await numbers({ kind: "role", name: odd.name })).toEqual([2]);
      expect(await numbers({ kind: "nothing" })).toEqual([]);
      expect(await numbers({ most: 2 })).toEqual([3, 2]);
      expect(await store.events({ name: "é", most: 1 })).toEqual([{ ...odd, number: 2, at: 100 }]);
    });

    it("are found far back, where few answer", async () => {
      const store = await open();
      await store.commit(commit([], [entry("rare")]));
      for (let round = 0; round < 35; round += 1) await store.commit(commit([], entries("usual", 100)));
      expect(await store.events({ event: "rare", most: 5 })).toMatchObject([{ number: 1 }]);
    });

    it("go where there are too many or they are too old, at most 100 at once, and their numbers never come again", async () => {
      const store = await open();
      for (let at = 1; at <= 3; at += 1) await store.commit({ ...commit([], entries("x", 100)), at });
      expect(await store.prune({ before: 0, most: 50 })).toBe(100);
      expect(await store.prune({ before: 0, most: 150 })).toBe(50);
      expect((await store.events({ most: 100, before: 152 })).map(({ number }) => number)).toEqual([151]);
      expect(await store.prune({ before: 3, most: 1000 })).toBe(50);
      expect(await store.prune({ before: 9, most: 1000 })).toBe(100);
      expect(await store.prune({ before: 9, most: 1000 })).toBe(0);
      await store.commit(commit([], [entry("next")]));
      expect(await store.events({ most: 1 })).toMatchObject([{ number: 301 }]);
    });
  });

  describe("a dump", () => {
    async function filled(): Promise<Store> {
      const store = await open();
      for (let round = 0; round < 3; round += 1) {
        const names = Array.from({ length: 90 }, (_, index) => `r${round}-${index}`);
        await store.commit(
          commit(
            names.map((name) => put("role", name, { kind: "absent" }, { round })),
            [entry(`round ${round}`)],
          ),
        );
      }
      await store.commit(commit([remove("role", "r0-0", { kind: "present" })]));
      return store;
    }

    it("is of one instant while others write", async () => {
      const store = await filled();
      const seen: DumpLine[] = [];
      let writes = 0;
      for await (const lines of store.dump()) {
        expect(lines.length).toBeLessThanOrEqual(100);
        seen.push(...lines);
        await store.commit(
          commit(
            [put("role", "r2-89", { kind: "anything" }, { late: true }), put("role", `z${writes++}`, { kind: "absent" })],
            [entry("late")],
          ),
        );
      }
      expect(writes).toBeGreaterThan(3);
      expect(seen[0]).toEqual({ kind: "counted", counted: { revision: "4", event: 3 } });
      expect(JSON.stringify(seen)).not.toContain("late");
      expect(seen.filter(({ kind }) => kind === "item")).toHaveLength(269);
      expect(seen.filter(({ kind }) => kind === "event")).toHaveLength(3);
    });

    it("fills an empty store with the same, which counts on from there", async () => {
      const [from, to] = [await filled(), await open()];
      await to.fill(from.dump());
      expect(await all(to.dump())).toEqual(await all(from.dump()));
      expect(await to.count("role")).toBe(269);
      expect(await to.commit(commit([], [entry("after")]))).toEqual({ kind: "done", revision: "5" });
      expect(await to.events({ most: 1 })).toMatchObject([{ number: 4, event: "after" }]);
    });

    it("fills nothing where it breaks off", async () => {
      const [from, to] = [await filled(), await open()];
      async function* broken(): AsyncGenerator<readonly DumpLine[]> {
        yield* from.dump();
        throw new Error("cable pulled");
      }
      await expect(to.fill(broken())).rejects.toThrow("cable pulled");
      expect(await all(to.dump())).toHaveLength(1);
      expect(await to.commit(commit([]))).toEqual({ kind: "done", revision: "1" });
    });

    it("fills no store that holds something", async () => {
      const [from, to] = [await filled(), await open()];
      await to.commit(commit([], [entry("here")]));
      await expect(to.fill(from.dump())).rejects.toMatchObject({ code: "store-failed" });
    });

    it("lets nobody see half of it, and commits wait for it", async () => {
      const [from, to] = [await filled(), await open()];
      const filling = to.fill(from.dump());
      const next = to.commit(commit([]));
      expect([0, 269], "all or nothing").toContain(await to.count("role"));
      await filling;
      expect(await next).toEqual({ kind: "done", revision: "5" });
    });
  });

  it("does whatever a plain model of it does", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drawnCommit, { maxLength: 25 }), async (commits) => {
        const store = await open();
        const model = new Map<string, Item>();
        let count = 0;
        for (const wanted of commits) {
          const next = new Map(model);
          const overtaken = wanted.changes.findIndex(
            (change) => !applies(next, change, { ...wanted, revision: String(count + 1) as Revision }),
          );
          const answer = await store.commit(wanted);
          if (overtaken === -1) {
            count += 1;
            expect(answer).toEqual({ kind: "done", revision: String(count) });
            model.clear();
            for (const [key, item] of next) model.set(key, item);
          } else {
            const { item } = wanted.changes[overtaken]!;
            expect(answer).toEqual({ kind: "overtaken", change: overtaken, found: model.get(`${item.kind}/${item.name}`) });
          }
        }
        for (const kind of ["a", "b"]) {
          const items = [...model.values()]
            .filter((item) => item.kind === kind)
            .toSorted((one, other) => (one.name < other.name ? -1 : 1));
          expect(await store.list(kind, { after: undefined, most: 100 })).toEqual(items);
          expect(await store.count(kind)).toBe(items.length);
        }
        await store.close();
      }),
      { numRuns: 40 },
    );
  });
}

function applies(model: Map<string, Item>, change: Change, by: { at: number; by: string; revision: Revision }): boolean {
  const key = `${change.item.kind}/${change.item.name}`;
  const found = model.get(key);
  const { expect: wanted } = change;
  if (wanted.kind === "absent" && found !== undefined) return false;
  if (wanted.kind === "present" && found === undefined) return false;
  if (wanted.kind === "revision" && found?.revision !== wanted.revision) return false;
  if (change.kind === "check") return true;
  if (change.kind === "delete") model.delete(key);
  else model.set(key, { ...change.item, revision: by.revision, changedAt: by.at, changedBy: by.by, body: change.body });
  return true;
}

const drawnExpectation: fc.Arbitrary<Expectation> = fc.oneof(
  fc.constantFrom<Expectation>({ kind: "absent" }, { kind: "present" }, { kind: "anything" }),
  fc.integer({ min: 1, max: 9 }).map((revision): Expectation => ({ kind: "revision", revision: String(revision) as Revision })),
);
const drawnKey = fc.record({ kind: fc.constantFrom("a", "b"), name: fc.constantFrom("x", "y", "z") });
const drawnChange: fc.Arbitrary<Change> = fc
  .oneof(
    fc.record({
      kind: fc.constant("put" as const),
      item: drawnKey,
      body: fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ noUnicodeString: false })) as fc.Arbitrary<JsonObject>,
      expect: drawnExpectation,
    }),
    fc.record({ kind: fc.constantFrom("delete" as const, "check" as const), item: drawnKey, expect: drawnExpectation }),
  )
  .map((change) => ("body" in change ? { ...change, body: JSON.parse(JSON.stringify(change.body)) as JsonObject } : change));
const drawnCommit: fc.Arbitrary<Commit> = fc.record({
  at: fc.integer(),
  by: fc.string({ unit: "binary" }),
  changes: fc.array(drawnChange, { maxLength: 4 }),
  audit: fc.constant([]),
});

function put(kind: string, name: string, expected: Expectation, body: JsonObject = {}): Change {
  return { kind: "put", item: { kind, name }, body, expect: expected };
}

function remove(kind: string, name: string, expected: Expectation): Change {
  return { kind: "delete", item: { kind, name }, expect: expected };
}

function check(kind: string, name: string, expected: Expectation): Change {
  return { kind: "check", item: { kind, name }, expect: expected };
}

function entries(event: string, count: number): readonly AuditEntry[] {
  return Array.from({ length: count }, () => entry(event));
}

async function all(pages: AsyncIterable<readonly DumpLine[]>): Promise<readonly DumpLine[]> {
  const found: DumpLine[] = [];
  for await (const lines of pages) found.push(...lines);
  return found;
}

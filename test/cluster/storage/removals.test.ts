import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { Committed, Revision } from "../../../src/cluster/storage/port.ts";
import { removalsBeside, removalsPath, type Removal } from "../../../src/cluster/storage/removals.ts";
import { scratchStore } from "./scratch-store.ts";

const revision = (text: string): Revision => text as Revision;
const done: Committed = { kind: "done", revision: revision("9") };
const alice: Removal = { kind: "user", name: "alice", at: 100, revision: revision("5"), until: undefined };
const host: Removal = { kind: "instance", name: "6f1c", keyDigest: "ab12", at: 100, revision: revision("7"), until: 500 };

function place(): string {
  const store = scratchStore();
  mkdirSync(dirname(store), { recursive: true });
  return store;
}

describe("what was removed from the cluster", () => {
  it("lies on the disk before the commit begins", async () => {
    const store = place();
    let there = "";
    await removalsBeside(store).during(alice, async () => {
      there = readFileSync(removalsPath(store), "utf8");
      return done;
    });
    expect(there).toContain('"name":"alice"');
    expect(removalsBeside(store).all()).toEqual([alice]);
    expect(statSync(removalsPath(store)).mode & 0o777).toBe(0o600);
  });

  it("counts no more where the commit was overtaken", async () => {
    const removals = removalsBeside(place());
    await removals.during(alice, async () => ({ kind: "overtaken", change: 0, found: undefined }));
    expect(removals.all()).toEqual([]);
  });

  it("counts no more where the commit failed, and the failure is told on", async () => {
    const removals = removalsBeside(place());
    await removals.during(host, async () => done);
    const failing = removals.during(alice, () => Promise.reject(new Error("disk on fire")));
    await expect(failing).rejects.toThrow("disk on fire");
    expect(removals.all()).toEqual([host]);
  });

  it("is dropped when nothing could renew any more, or where it never happened", async () => {
    const removals = removalsBeside(place());
    await removals.during(alice, async () => done);
    await removals.during(host, async () => done);
    await removals.prune(499, async () => false);
    expect(removals.all()).toEqual([alice, host]);
    await removals.prune(500, async () => false);
    expect(removals.all()).toEqual([alice]);
    await removals.prune(500, async ({ name }) => name === "alice");
    expect(removals.all()).toEqual([]);
  });

  it("keeps what is removed while it is pruned", async () => {
    const removals = removalsBeside(place());
    await removals.during(host, async () => done);
    await removals.prune(1, async () => {
      await removals.during(alice, async () => done);
      return true;
    });
    expect(removals.all()).toEqual([alice]);
  });

  it("leaves out the half line of a power cut, and writes the next one in its place", async () => {
    const store = place();
    const removals = removalsBeside(store);
    await removals.during(host, async () => done);
    await removals.during(alice, async () => done);
    truncateSync(removalsPath(store), statSync(removalsPath(store)).size - 3);
    expect(removals.all()).toEqual([host]);
    await removals.during(alice, async () => done);
    expect(removals.all()).toEqual([host, alice]);
  });

  it.each([
    ["a changed line", (path: string) => writeFileSync(path, readFileSync(path, "utf8").replace("alice", "aliCe"))],
    ["a line of something else", (path: string) => appendFileSync(path, "hello\n")],
    ["zeros", (path: string) => appendFileSync(path, "\0\0\0\0\n")],
  ])("is not guessed where the file holds %s", async (_, damage) => {
    const store = place();
    const removals = removalsBeside(store);
    await removals.during(alice, async () => done);
    damage(removalsPath(store));
    expect(() => removals.all()).toThrow(/is not what was written/);
  });

  it("is written through no link", async () => {
    const store = place();
    writeFileSync(`${store}.other`, "");
    symlinkSync(`${store}.other`, removalsPath(store));
    await expect(removalsBeside(store).during(alice, async () => done)).rejects.toMatchObject({ code: "store-failed" });
    expect(readFileSync(`${store}.other`, "utf8")).toBe("");
  });
});

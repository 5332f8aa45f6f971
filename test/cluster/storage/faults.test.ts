import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { migrations } from "../../../src/cluster/storage/migrations.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import { atOnce, fillSome } from "./filled.ts";
import { scratchStore } from "./scratch-store.ts";

const program = `${import.meta.dirname}/child.ts`;
const release = "1.2.3";

/** Kills the child so many milliseconds after it said `open`, unless it ended before; what it had said until then. */
async function killAfter(ms: number | "its end", [what, path]: readonly [string, string]): Promise<readonly string[]> {
  const child = spawn(process.execPath, [program, what, path], { stdio: ["ignore", "pipe", "inherit"] });
  const said: string[] = [];
  const lines = createInterface(child.stdout);
  lines.on("line", (line) => said.push(line));
  const ended = once(lines, "close");
  await once(lines, "line");
  if (ms !== "its end") {
    await setTimeout(ms);
    child.kill("SIGKILL");
  }
  await ended;
  return said;
}

describe("a killed auth service", () => {
  it("has every commit that it answered", async () => {
    const path = scratchStore();
    let last = 0;
    for (let round = 0; round < 4; round += 1) {
      const said = await killAfter(Math.random() * 150, ["commit", path]);
      const answered = Number(said.at(-1) === "open" ? last : said.at(-1));
      const store = await openSqliteStore({ path, release });
      const there = await store.count("role");
      expect(there).toBeGreaterThanOrEqual(answered);
      // Some may have been in hand.
      expect(there).toBeLessThanOrEqual(answered + atOnce);
      expect((await store.events({ most: 1 }))[0]?.event).toBe(there === 0 ? undefined : `${there}`);
      expect((await store.about()).revision).toBe(String(there));
      await store.close();
      last = there;
    }
    expect(last).toBeGreaterThan(10);
  });

  it("in a migration leaves the store as it was or migrated", async () => {
    const [before, after] = [migrations.length, migrations.length + 1];
    for (const ms of [0, 60, 200, "its end"] as const) {
      const path = scratchStore();
      const made = await openSqliteStore({ path, release });
      await fillSome(made);
      await made.close();
      await killAfter(ms, ["migrate", path]);
      const store = await openSqliteStore({ path, release });
      expect(await store.count("role")).toBe(250);
      expect(ms === "its end" ? [after] : [before, after]).toContain((await store.about()).schema);
      await store.close();
    }
  });

  it("keeps others out while it lives, and is named", async () => {
    const path = scratchStore();
    const child = spawn(process.execPath, [program, "commit", path], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "close");
    try {
      await once(child.stdout, "data");
      await expect(openSqliteStore({ path, release })).rejects.toMatchObject({
        code: "store-in-use",
        message: expect.stringContaining(`process ${child.pid}`),
      });
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
    await (await openSqliteStore({ path, release })).close();
  });

  it("keeps a second store of the same process out, whose refusal leaves the lock where it is", async () => {
    const path = scratchStore();
    const store = await openSqliteStore({ path, release });
    for (let round = 0; round < 2; round += 1)
      await expect(openSqliteStore({ path, release })).rejects.toMatchObject({ code: "store-in-use" });
    const other = spawnSync(process.execPath, [program, "fill", path], { encoding: "utf8" });
    expect(other.stderr).toContain("store-in-use");
    await store.close();
  });
});

const canMount = process.geteuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;
if (!canMount) process.stderr.write("a full disk is not tried: that takes root, who may mount\n");

describe("a full disk", () => {
  function onSmallDisk(what: string): readonly string[] {
    const path = scratchStore();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const script = 'mount -t tmpfs -o size=2m,mode=700 tmpfs "$1" && exec "$2" "$3" "$4" "$5"';
    const { stdout, stderr, status } = spawnSync(
      "unshare",
      ["--mount", "sh", "-c", script, "sh", dirname(path), process.execPath, program, what, path],
      { encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(existsSync(path)).toBe(false);
    return stdout.trim().split("\n");
  }

  it.skipIf(!canMount)("is told, loses nothing that was answered, and is over once there is room", () => {
    const lines = onSmallDisk("fill");
    expect(lines.slice(0, 3)).toEqual(["store-full", "store-full", "store-full"]);
    const { answered, full, after, events } = JSON.parse(lines[3] ?? "") as Record<string, number | string>;
    expect(answered).toBeGreaterThan(20);
    expect(full).toBe(answered);
    expect(after).toBe(Number(answered) + 1);
    expect(Number(events)).toBeLessThan(5000);
  });

  it.skipIf(!canMount)("is told at a start as well, whatever it is that finds no room", () => {
    const lines = onSmallDisk("full");
    expect(lines.length).toBeGreaterThan(2);
    expect([...new Set(lines)]).toEqual(["store-full", "open"]);
  });
});

import { chmodSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSchedule } from "../../../src/updater/store/schedule-file.ts";
import { writeSchedule } from "../../../src/cluster/host-updater/write-schedule.ts";
import type { ClusterSchedule } from "../../../src/rules/window/print-schedule.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { asNobody } from "./as-nobody.ts";

const folder = scratchFolder();
const now = 1_800_000_000;
const day = 86_400;

type At = { readonly root: string; readonly path: string };

function place(): At {
  const root = mkdtempSync(join(folder, "root-"));
  chmodSync(folder, 0o755);
  chmodSync(root, 0o755);
  mkdirSync(join(root, "etc/svc-upgrade.d"), { recursive: true });
  return { root, path: join(root, "etc/svc-upgrade.d/schedule") };
}

const daily = (count: number, from = now): ClusterSchedule => ({
  cluster: "example",
  hasWindow: true,
  openings: Array.from({ length: count }, (_, index) => ({ start: from + index * day, stop: from + index * day + 3600 })),
});

const put = (at: At, schedule: ClusterSchedule): string => writeSchedule(schedule, { ...at, now: () => now });
const read = ({ path }: At): Promise<unknown> => readSchedule(path, { now: () => now, wait: () => Promise.resolve() });

describe("the schedule that svc writes", () => {
  test("is what the updater reads, whole, and for everybody to read", async () => {
    const at = place();
    expect(put(at, daily(8))).toBe("written");
    expect(await read(at)).toEqual({ kind: "windows", windows: daily(8).openings });
    expect(statSync(at.path).mode & 0o777).toBe(0o644);
  });

  test("is not written again where it says the same", () => {
    const at = place();
    put(at, daily(8));
    const before = readFileSync(at.path, "utf8");
    expect(writeSchedule(daily(8), { ...at, now: () => now + 600 })).toBe("same");
    expect(readFileSync(at.path, "utf8")).toBe(before);
    expect(put(at, daily(9))).toBe("written");
  });

  test("is empty where the cluster has no window", async () => {
    const at = place();
    put(at, { cluster: "example", hasWindow: false, openings: [] });
    expect(await read(at)).toEqual({ kind: "empty" });
  });

  test("takes the place of what another program left there", async () => {
    const at = place();
    writeFileSync(at.path, "junk\n");
    expect(put(at, daily(1))).toBe("written");
    expect(await read(at)).toMatchObject({ kind: "windows" });
  });

  test("where its directory is missing says what to type, and makes none", () => {
    const at = { root: folder, path: join(folder, "none/schedule") };
    expect(() => put(at, daily(1))).toThrow(/cannot be written/);
    expect(existsSync(join(folder, "none"))).toBe(false);
  });

  test("is never believed where any of it is of another one", async () => {
    const at = place();
    put(at, daily(8));
    const one = readFileSync(at.path, "utf8");
    put(at, daily(8, now + 7200));
    const other = readFileSync(at.path, "utf8");
    expect(one.length).toBe(other.length);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: one.length - 1 }), async (cut) => {
        const mixed = one.slice(0, cut) + other.slice(cut);
        if (mixed === one || mixed === other) return;
        writeFileSync(at.path, mixed);
        expect(await read(at)).toMatchObject({ kind: "invalid", why: expect.stringContaining("sum") });
      }),
    );
  });
});

/** Another user's rights are what counts here, and root has all of them. */
describe.skipIf(process.geteuid?.() !== 0)("where the file alone is the agent's", () => {
  test("it is written in place, by kilobytes, and never shorter than before", async () => {
    const at = place();
    writeFileSync(at.path, "");
    asNobody.own(at.path);
    expect(asNobody.write(at, daily(8))).toBe("written");
    expect(statSync(at.path).size).toBe(1024);
    expect(await read(at)).toEqual({ kind: "windows", windows: daily(8).openings });
    expect(asNobody.write(at, daily(8))).toBe("same");
    expect(asNobody.write(at, daily(60))).toBe("written");
    expect(statSync(at.path).size).toBe(2048);
    expect(asNobody.write(at, daily(1))).toBe("written");
    expect(statSync(at.path).size).toBe(2048);
    expect(await read(at)).toEqual({ kind: "windows", windows: daily(1).openings });
  });

  test("it is not written to where it has a second name, or is somebody else's", () => {
    const at = place();
    writeFileSync(at.path, "");
    expect(() => asNobody.write(at, daily(1))).toThrow(
      /install -d -m 0755 -o \S+ .*svc-upgrade\.d && sudo systemctl restart svc/,
    );
    asNobody.own(at.path);
    linkSync(at.path, join(at.root, "other"));
    expect(() => asNobody.write(at, daily(1))).toThrow(/another name/);
    expect(readFileSync(at.path, "utf8")).toBe("");
  });
});

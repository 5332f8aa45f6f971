import { execFileSync } from "node:child_process";
import { linkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSchedule, sumOf } from "../../../src/updater/store/schedule-file.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const path = `${folder}/schedule`;
const open = { kind: "windows", windows: [{ start: 900, stop: 5000 }] };

/** The file as it stands at each look: `wait` goes on to the next text. */
async function look(
  texts: readonly string[],
  ageSeconds: number,
): Promise<{ readonly schedule: unknown; readonly waits: readonly number[] }> {
  const waits: number[] = [];
  function put(index: number): void {
    const text = texts[index];
    if (text !== undefined) writeFileSync(path, text);
    utimesSync(path, 1000, 1000 - ageSeconds);
  }
  put(0);
  const schedule = await readSchedule(path, {
    now: () => 1000,
    wait: async (ms) => {
      waits.push(ms);
      put(waits.length);
    },
  });
  return { schedule, waits };
}

describe("the schedule file", () => {
  test("is read as it stands when it is good", async () => {
    expect(await look(["900 5000\n"], 0)).toEqual({ schedule: open, waits: [] });
    expect(await look(["nop\n"], 0)).toEqual({ schedule: { kind: "never" }, waits: [] });
    expect(await look(["1 2\n"], 0)).toEqual({ schedule: { kind: "stale", endedAt: 2 }, waits: [] });
  });

  test("is read again while it is young and half written, a second apart", async () => {
    expect(await look(["", "900 50", "900 5000\n"], 1)).toEqual({ schedule: open, waits: [1000, 1000] });
    expect(await look(["# comment\n90", "900 5000\n"], 4)).toEqual({ schedule: open, waits: [1000] });
  });

  test("is read three times again and no more", async () => {
    expect(await look([""], 1)).toEqual({ schedule: { kind: "empty" }, waits: [1000, 1000, 1000] });
    expect(await look(["junk"], -1)).toMatchObject({ schedule: { kind: "invalid", line: 1 }, waits: [1000, 1000, 1000] });
  });

  test("is read again while its sum does not fit, and never used without", async () => {
    const summed = (lines: string): string => {
      const before = `# Written by svc; the last line is the sum of the others\n${lines}`;
      return `${before}# sum ${sumOf(before)}\n`;
    };
    const good = summed("900 5000\n");
    const mixed = good.replace("900 5000", "800 5000");
    const why = "the file is not used: its sum is not that of its lines";
    expect(await look([good], 0)).toEqual({ schedule: open, waits: [] });
    expect(await look([mixed, good.slice(0, -80), good], 1)).toEqual({ schedule: open, waits: [1000, 1000] });
    expect(await look([mixed], 3600)).toEqual({ schedule: { kind: "invalid", line: 0, text: "", why }, waits: [] });
    expect(await look([`${good}900 6000\n`], 3600)).toMatchObject({ schedule: { kind: "invalid", why } });
    expect(await look(["# sum of all windows: 1\n900 5000\n"], 0)).toEqual({ schedule: open, waits: [] });
  });

  test("is what it is once it has settled", async () => {
    expect(await look([""], 5)).toEqual({ schedule: { kind: "empty" }, waits: [] });
    expect(await look(["junk"], 3600)).toMatchObject({ schedule: { kind: "invalid", line: 1, text: "junk" }, waits: [] });
    expect(await look(["junk"], -3600)).toMatchObject({ schedule: { kind: "invalid" }, waits: [] });
  });

  test("is missing, or refused with a reason, and not waited for", async () => {
    const clock = { now: () => 1000, wait: () => Promise.reject(new Error("waited")) };
    expect(await readSchedule(`${folder}/none/schedule`, clock)).toEqual({ kind: "missing" });
    rmSync(path);
    symlinkSync("/etc/hostname", path);
    expect(await readSchedule(path, clock)).toEqual({
      kind: "invalid",
      line: 0,
      text: "",
      why: "the file is not used: it is a symbolic link",
    });
    rmSync(path);
    execFileSync("mkfifo", [path]);
    expect(await readSchedule(path, clock)).toMatchObject({ why: "the file is not used: it is a named pipe" });
    rmSync(path);
    writeFileSync(path, "#".repeat(64 * 1024 + 1));
    expect(await readSchedule(path, clock)).toMatchObject({ why: "the file is not used: it is larger than 65536 bytes" });
  });

  test("is not read where it has a second name, which may be that of a file with secrets", async () => {
    const secret = `${folder}/secret`;
    writeFileSync(secret, "root:$y$j9T$hash\n");
    rmSync(path, { force: true });
    linkSync(secret, path);
    const schedule = await readSchedule(path, { now: () => 1000, wait: () => Promise.reject(new Error("waited")) });
    expect(schedule).toEqual({ kind: "invalid", line: 0, text: "", why: "the file is not used: it has 2 names" });
  });
});

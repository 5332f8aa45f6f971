import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../../src/updater/doctor/check.ts";
import { examineSchedule, type ScheduleScene, type Writer } from "../../../src/updater/doctor/schedule.ts";
import { windowLike } from "../../../src/updater/doctor/schedule-words.ts";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import { mergeSettings } from "../../../src/rules/settings/merge.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { sumOf } from "../../../src/updater/store/schedule-file.ts";
import { printSchedule } from "../../../src/rules/window/print-schedule.ts";
import { withSum } from "../../../src/rules/window/schedule-sum.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { now } from "../pass/given.ts";

const folder = scratchFolder();
const directory = `${folder}/svc-upgrade.d`;
const file = `${directory}/schedule`;
const self = { uid: process.getuid?.() ?? 0, gids: [process.getgid?.() ?? 0] };
const root: Writer = { kind: "known", name: "root", account: { uid: 0, gids: [0] } };
const stranger: Writer = { kind: "known", name: "svc", account: { uid: 12_345, gids: [12_345] } };

/** Written an hour ago, so that nobody waits for the rest of it. */
function write(text: string, mode: number = 0o644): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  writeFileSync(file, text);
  chmodSync(file, mode);
  utimesSync(file, now - 3600, now - 3600);
}

function look(changes: Partial<ScheduleScene> = {}): Promise<Finding> {
  return examineSchedule({
    file,
    fragment: "/etc/svc-upgrade/60-window.yaml",
    unit: "svc.service" as UnitName,
    settings: { window: undefined, unscheduled: "rescue" },
    writer: root,
    now: () => now,
    ...changes,
  });
}

const open = `${now - 60} ${now + 3540}\n`;

describe("the schedule", () => {
  test("is well while it has a window, says when it was written, and by whom it may be", async () => {
    write(open);
    expect(await look()).toEqual({
      verdict: "ok",
      told: `${file} has a window open until 2027-01-15T08:59:00Z; last written at 2027-01-15T07:00:00Z, root may write it`,
    });
    write(`${now + 7200} ${now + 10_800}\n`);
    expect((await look({ writer: { kind: "unknown", why: "systemd does not run here" } })).told).toBe(
      `${file} has its next window at 2027-01-15T10:00:00Z; last written at 2027-01-15T07:00:00Z, who writes it is not known (systemd does not run here)`,
    );
  });

  test("names the cluster whose agent wrote it, and says where a window is to be set", async () => {
    for (const [hasWindow, openings] of [
      [true, [{ start: now - 60, stop: now + 3540 }]],
      [false, []],
    ] as const) {
      const text = printSchedule({ cluster: "example.com", hasWindow, openings }, now - 3600);
      write(withSum(text, sumOf(text)));
      const { verdict, told } = await look();
      expect(told).toContain("; last written at 2027-01-15T07:00:00Z by svc for the cluster example.com, root may write it");
      expect(verdict).toBe(hasWindow ? "ok" : "failed");
      expect(told.includes("no window is configured in the cluster example.com: tctl create sets one")).toBe(!hasWindow);
    }
  });

  test("is not looked at where a local window counts", async () => {
    write("garbage");
    expect(
      await look({
        settings: { window: { hourly: [{ utcStartHour: 23, weekdays: [2, 6] }], local: [], spans: [] }, unscheduled: "rescue" },
      }),
    ).toEqual({
      verdict: "ok",
      told: `the local window counts, on Tue, Sat from 23:00 to 00:00 UTC; ${file} is not needed`,
    });
    const local = [{ start: 9000, durationSeconds: 7200, weekdays: [2, 6], timezone: "Europe/Berlin" }] as const;
    expect(await look({ settings: { window: { hourly: [], local, spans: [] }, unscheduled: "rescue" } })).toEqual({
      verdict: "ok",
      told: `the local window counts, Tue, Sat at 02:30 for 2h, Europe/Berlin; ${file} is not needed`,
    });
  });

  test.each([
    ["1700000000 1700003600\n", "is stale: its last window ended at 2023-11-14T23:13:20Z"],
    ["garbage\n", 'is invalid: line 1 reads "garbage": expected START STOP in unix seconds, or nop'],
    ["# nothing yet\n", "is empty"],
  ])("fails as %j, and a local window can stand in", async (text, told) => {
    write(text);
    const found = await look();
    expect(found.verdict).toBe("failed");
    expect(found.told).toContain(`${file} ${told}; last written at 2027-01-15T07:00:00Z`);
    expect(found.fix).toMatch(/^echo 'window: \{utc_start_hour: \d+.*\}' \| sudo tee \/etc\/svc-upgrade\/60-window\.yaml$/);
    // Where everything moves at any time, nothing is held up.
    expect((await look({ settings: { window: undefined, unscheduled: "anytime" } })).verdict).toBe("warning");
  });

  test("fails where it is missing", async () => {
    write(open);
    rmSync(file);
    expect(await look()).toMatchObject({ verdict: "failed", told: expect.stringContaining("is missing") as string });
    rmSync(directory, { recursive: true });
    expect(await look()).toMatchObject({ verdict: "failed" });
  });

  test("is not to be given away with what lies beside it", async () => {
    write(open);
    writeFileSync(`${directory}/keys`, "");
    const found = await look({ writer: stranger });
    expect(found.told).toContain(
      'may not write it, and "keys" lies beside it; name one in a directory of its own: agent.schedule_file',
    );
    expect(found).toMatchObject({ verdict: "failed" });
    expect(found.fix).toBeUndefined();
    rmSync(directory, { recursive: true });
    writeFileSync(directory, "");
    expect((await look({ writer: stranger })).fix).toContain("sudo mkdir -p");
    rmSync(directory);
  });

  test("is a warning where it says never, or everybody may change it", async () => {
    write("nop\n");
    expect(await look()).toMatchObject({ verdict: "warning", fix: "sudo svc-upgrade run --now" });
    write(open, 0o666);
    expect(await look()).toMatchObject({ verdict: "warning", fix: `sudo chmod o-w ${directory} ${file}` });
  });

  test("fails as a link, which nobody follows", async () => {
    write(open);
    rmSync(file);
    symlinkSync("/etc/hostname", file);
    expect(await look()).toEqual({
      verdict: "failed",
      told: `${file} is not used: it is a symbolic link`,
      fix: `sudo rm ${file} && sudo systemctl restart svc.service`,
    });
  });

  test.runIf(self.uid === 0)("belongs to whom it belongs, not to whom it was made by", async () => {
    write(open);
    chownSync(file, 12_345, 12_345);
    expect((await look({ writer: stranger })).verdict).toBe("ok");
  });
});

describe("a window in place of the schedule", () => {
  test("is one that the settings take, and where the last one was", async () => {
    // It ended at midnight: its hour was Saturday's last.
    const yaml = await readYaml(windowLike({ kind: "stale", endedAt: 1_795_305_600 }));
    if (yaml.kind !== "value") throw new Error(yaml.why);
    const merged = mergeSettings([{ origin: { kind: "built-in" }, values: yaml.value }]);
    expect(merged).toMatchObject({ kind: "settings", settings: { window: { hourly: [{ utcStartHour: 23, weekdays: [6] }] } } });
  });
});

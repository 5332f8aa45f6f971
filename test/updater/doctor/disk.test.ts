import { describe, expect, test } from "vitest";
import { examineDisk, judgeRoom, type Demand } from "../../../src/updater/doctor/disk.ts";
import type { Room } from "../../../src/machine/files/free-space.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { examiner } from "./given.ts";

const name = "svc-ent" as PackageName;

function demand(bytes: number, room: Partial<Room> = {}): Demand {
  return { bytes, room: { device: "8:1", point: "/", isReadOnly: false, freeBytes: 100_000_000, freeFiles: 100_000, ...room } };
}

describe("the room on disk", () => {
  test("is told of every file system, with what a move needs", () => {
    const other = demand(1, { device: "8:2", point: "/var", freeBytes: 25_500_000_000, freeFiles: undefined });
    expect(judgeRoom([demand(60_000_000), other], "tidy")).toEqual({
      verdict: "ok",
      told: "/ has 100 MB free, and a move needs about 60 MB; /var has 25 GB free, and a move needs about 1 MB",
    });
  });

  test.each([
    ["too little room", demand(100_000_001), "/ has 100 MB free, and a move needs about 101 MB", "tidy; df -h /var /"],
    ["too few files", demand(1, { freeFiles: 4999 }), "/ has room for 4999 more files only", "tidy; df -i /var /"],
    ["no right to write", demand(1, { isReadOnly: true }), "/ is mounted read-only", "findmnt --target /"],
  ])("is short with %s on one of them", (_title, short, told, fix) => {
    const found = judgeRoom([demand(1, { device: "8:2", point: "/var" }), short], "tidy");
    expect(found).toEqual({ verdict: "failed", told, fix });
  });

  test("is what all needs on one file system take together", async () => {
    const needs = async (): ReturnType<ReturnType<typeof examiner>["needs"]> => [
      { path: "/proc/self", bytes: 1 },
      { path: "/proc", bytes: 2_000_000 },
    ];
    const found = await examineDisk({ name, change: undefined, examiner: examiner({ needs }), stateDirectory: "/proc/none" });
    expect([found.verdict, found.told]).toEqual([
      "failed",
      expect.stringContaining("/proc has 0 MB free, and a move needs about 4 MB"),
    ]);
  });
});

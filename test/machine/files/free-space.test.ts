import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { roomAt } from "../../../src/machine/files/free-space.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();

describe("the room that is left", () => {
  test("is that of the file system on which a path lies, or will lie", () => {
    const there = roomAt(folder);
    expect(there.freeBytes).toBeGreaterThan(0);
    expect(statSync(there.point).dev).toBe(statSync(folder).dev);
    const later = roomAt(`${folder}/not/made/yet`);
    expect([later.device, later.point]).toEqual([there.device, there.point]);
  });

  test("is none on what is mounted read-only, or has no place for files", () => {
    expect(roomAt("/proc/self").freeBytes).toBe(0);
    expect(roomAt("/proc/self").freeFiles).toBeUndefined();
  });
});

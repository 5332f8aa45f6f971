import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { giveUpReserve, keepReserve } from "../../src/store/reserve.ts";
import { scratchFolder } from "../host/scratch.ts";

const folder = scratchFolder();
const file = `${folder}/.reserve`;

describe("the room that is reserved for the record", () => {
  test("is taken once, by bytes and not by a length alone, and nobody else reads it", () => {
    keepReserve(folder);
    const { size, blocks, mtimeMs, mode } = statSync(file);
    expect(size).toBe(1024 * 1024);
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
    expect(mode & 0o777).toBe(0o600);
    keepReserve(folder);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  test("is given up once, and taken anew", () => {
    keepReserve(folder);
    expect(giveUpReserve(folder)).toBe("given up");
    expect(giveUpReserve(folder)).toBe("none");
    writeFileSync(file, "cut off");
    keepReserve(folder);
    expect(readFileSync(file)).toHaveLength(1024 * 1024);
  });

  test("is none where it cannot be taken", () => {
    rmSync(file);
    mkdirSync(`${file}/in/the/way`, { recursive: true });
    expect(() => keepReserve(folder)).not.toThrow();
    expect(() => keepReserve(`${folder}/none`)).not.toThrow();
  });
});

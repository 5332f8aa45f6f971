import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { keepReserve, withReserve, type ReservePlace } from "../../../src/updater/store/reserve.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const at = (directory: string): ReservePlace => ({ root: "/", directory });
const file = `${folder}/.reserve`;

describe("the room that is reserved for the record", () => {
  test("is taken once, by bytes and not by a length alone, and nobody else reads it", () => {
    keepReserve(at(folder));
    const { size, blocks, mtimeMs, mode } = statSync(file);
    expect(size).toBe(1024 * 1024);
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
    expect(mode & 0o777).toBe(0o600);
    keepReserve(at(folder));
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  test("is given up on a full disk, once, and taken again", () => {
    keepReserve(at(folder));
    const full = new Fault("state-unwritable", { message: "", hint: "", cause: Object.assign(new Error(), { code: "ENOSPC" }) });
    let tries = 0;
    const failing = (times: number) => (): string => {
      tries += 1;
      if (tries <= times) throw full;
      return "written";
    };
    expect(withReserve(at(folder), failing(1))).toBe("written");
    expect(existsSync(file)).toBe(false);
    tries = 0;
    expect(() => withReserve(at(folder), failing(1))).toThrow(full);
    expect(tries).toBe(1);
    writeFileSync(file, "cut off");
    keepReserve(at(folder));
    expect(readFileSync(file)).toHaveLength(1024 * 1024);
  });

  test("is kept where something else is wrong", () => {
    keepReserve(at(folder));
    const denied = new Fault("state-unwritable", { message: "", hint: "" });
    const failing = (): never => {
      throw denied;
    };
    expect(() => withReserve(at(folder), failing)).toThrow(denied);
    expect(existsSync(file)).toBe(true);
  });

  test("is none where it cannot be taken", () => {
    rmSync(file);
    mkdirSync(`${file}/in/the/way`, { recursive: true });
    expect(() => keepReserve(at(folder))).not.toThrow();
    expect(() => keepReserve(at(`${folder}/none`))).not.toThrow();
  });
});

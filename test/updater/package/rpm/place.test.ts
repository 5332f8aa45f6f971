import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { placeWhole, unwritable, type Placing } from "../../../../src/updater/package/rpm/place.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const scratch = scratchFolder();
let root: string;
let placing: Placing;

beforeEach(() => {
  root = mkdtempSync(`${scratch}/root-`);
  for (const name of ["cache", "kept/.new"]) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, "cache/a.rpm"), "package", { mode: 0o600 });
  placing = { path: join(root, "cache/a.rpm"), copy: join(root, "kept/.new/a"), target: join(root, "kept/a.rpm"), root };
});

describe("a package file that is put in its place", () => {
  test("is a copy that everyone may read, looked at before anybody finds it", async () => {
    const judged: unknown[] = [];
    const judge = async (path: string): Promise<"whole"> => {
      judged.push(path, existsSync(placing.target));
      return "whole";
    };
    expect(await placeWhole(judge, placing)).toBe("placed");
    expect(judged).toEqual([placing.copy, false]);
    expect([readFileSync(placing.target, "utf8"), statSync(placing.target).mode & 0o777]).toEqual(["package", 0o644]);
    expect([existsSync(placing.copy), existsSync(placing.path)]).toEqual([false, true]);
  });

  test("stays away where it is damaged", async () => {
    expect(await placeWhole(async () => "spoilt", placing)).toBe("spoilt");
    expect(existsSync(placing.target)).toBe(false);
  });

  test("is not put where a link leads, nor written through one", async () => {
    const outside = mkdtempSync(`${scratch}/outside-`);
    symlinkSync(outside, join(root, "linked"));
    const linked = { ...placing, target: join(root, "linked/a.rpm") };
    await expect(placeWhole(async () => "whole", linked)).rejects.toMatchObject({ code: "path-untrusted" });
    expect(existsSync(join(outside, "a.rpm"))).toBe(false);
  });

  test("is told with both places where it cannot be", async () => {
    const gone = { ...placing, path: join(root, "cache/gone.rpm") };
    await expect(placeWhole(async () => "whole", gone)).rejects.toMatchObject({
      code: "file-failed",
      message: expect.stringContaining(`${root}/kept: ${root}/cache/gone.rpm could not be copied there: `) as string,
    });
  });
});

test("a directory that cannot be written to for EDQUOT is no-space", () => {
  const thrown = Object.assign(new Error("no"), { code: "EDQUOT" });
  expect(unwritable("/kept", "it failed", thrown)).toMatchObject({
    code: "no-space",
    message: expect.stringMatching(/^\/kept: it failed: ./) as string,
    hint: "free space there: `df -h /` shows how much is left",
    cause: thrown,
  });
});

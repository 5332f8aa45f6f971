import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { removeHold, writeHold } from "../../src/store/hold-file.ts";
import { scratchFolder } from "../host/scratch.ts";

const folder = scratchFolder();
const at = (path: string): { readonly root: string; readonly hold: string } => ({ root: "/", hold: path });
const hold = { until: undefined, reason: "audit" };

describe("the fragment of a hold", () => {
  test("is put back as it was, or taken away where there was none", () => {
    const path = `${folder}/etc/svc-upgrade/90-hold.yaml`;
    writeHold(at(path), hold)();
    expect(existsSync(path)).toBe(false);
    writeHold(at(path), hold);
    const before = readFileSync(path, "utf8");
    const putBack = writeHold(at(path), { ...hold, reason: "other" });
    expect(readFileSync(path, "utf8")).toContain("other");
    putBack();
    expect(readFileSync(path, "utf8")).toBe(before);
    expect([removeHold(at(path)), removeHold(at(path)), removeHold(at(`${folder}/none/90-hold.yaml`))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("that cannot be written or removed is a fault that names it", () => {
    writeFileSync(`${folder}/file`, "");
    mkdirSync(`${folder}/folder`);
    const tries: readonly (readonly [() => unknown, string])[] = [
      [() => writeHold(at(`${folder}/file/below/90-hold.yaml`), hold), "/file/below could not be made: "],
      [() => writeHold(at(`${folder}/folder`), hold), "/folder could not be written: "],
      [() => removeHold(at(`${folder}/folder`)), "/folder could not be removed: "],
    ];
    for (const [attempt, message] of tries) {
      expect(attempt).toThrow(expect.objectContaining({ code: "file-failed", message: expect.stringContaining(message) }));
    }
  });
});

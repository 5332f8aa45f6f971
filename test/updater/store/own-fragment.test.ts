import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { removeOwnFragment, writeOwnFragment, type OwnFragment } from "../../../src/updater/store/own-fragment.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const at = (path: string): OwnFragment => ({ root: "/", path });
const hold = "hold: {reason: audit}\n";

describe("a settings fragment of a command", () => {
  test("is put back as it was, or taken away where there was none", () => {
    const path = `${folder}/etc/svc-upgrade/90-hold.yaml`;
    writeOwnFragment(at(path), hold)();
    expect(existsSync(path)).toBe(false);
    writeOwnFragment(at(path), hold);
    const before = readFileSync(path, "utf8");
    const putBack = writeOwnFragment(at(path), "hold: {reason: other}\n");
    expect(readFileSync(path, "utf8")).toContain("other");
    putBack();
    expect(readFileSync(path, "utf8")).toBe(before);
    expect([
      removeOwnFragment(at(path)),
      removeOwnFragment(at(path)),
      removeOwnFragment(at(`${folder}/none/90-hold.yaml`)),
    ]).toEqual([true, false, false]);
  });

  test("that cannot be written or removed is a fault that names it", () => {
    writeFileSync(`${folder}/file`, "");
    mkdirSync(`${folder}/folder`);
    const tries: readonly (readonly [() => unknown, string])[] = [
      [() => writeOwnFragment(at(`${folder}/file/below/90-hold.yaml`), hold), "/file/below could not be made: "],
      [() => writeOwnFragment(at(`${folder}/folder`), hold), "/folder could not be written: "],
      [() => removeOwnFragment(at(`${folder}/folder`)), "/folder could not be removed: "],
    ];
    for (const [attempt, message] of tries) {
      expect(attempt).toThrow(expect.objectContaining({ code: "file-failed", message: expect.stringContaining(message) }));
    }
  });
});

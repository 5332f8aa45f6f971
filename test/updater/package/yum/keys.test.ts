import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { withKeysFile } from "../../../../src/updater/package/yum/act.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const scratch = scratchFolder();

test("the keys for a call below another root lie outside of it: dnf would take a blank or a comma in its name for the next key", async () => {
  const root = mkdtempSync(`${scratch}/a root, http:`);
  let path = "";
  const result = await withKeysFile(root, "keys\n", async (file) => {
    path = file;
    const modes = [dirname(file), file].map((name) => statSync(name).mode & 0o777);
    expect([readFileSync(file, "utf8"), ...modes]).toEqual(["keys\n", 0o700, 0o644]);
    return 7;
  });
  expect(result).toBe(7);
  expect(path).toMatch(/^\/tmp\/svc-upgrade-call-\w+\/yum-keys\.asc$/);
  expect([existsSync(dirname(path)), readdirSync(root)]).toEqual([false, []]);
});

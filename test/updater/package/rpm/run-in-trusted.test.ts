import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../../../../src/machine/processes/run-command.ts";
import { inspectRpm } from "../../../../src/updater/package/rpm/installed.ts";
import { runInTrusted } from "../../../../src/updater/package/rpm/run-in-trusted.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { agent, missingTools } from "./on-host.ts";

const missing = process.getuid?.() === 0 ? missingTools() : "only root can have trees of other users";
if (missing !== undefined) console.warn(`SKIPPED: the tests of rpm on somebody else's tree: ${missing}`);

const scratch = scratchFolder();
let root = "";
let outside = "";
beforeEach(() => {
  chmodSync(scratch, 0o755);
  root = mkdtempSync(`${scratch}/root-`);
  outside = mkdtempSync(`${scratch}/outside-`);
});

/** Where rpm keeps its database differs between distributions, and on some it is root's home. */
function leadDatabaseOutside(): void {
  mkdirSync(join(root, "var/lib"), { recursive: true });
  mkdirSync(join(root, "usr/lib/sysimage"), { recursive: true });
  for (const path of ["root", "var/lib/rpm", "usr/lib/sysimage/rpm"]) symlinkSync(outside, join(root, path));
}

test("the machine itself is asked as it is", () => {
  expect(runInTrusted(runCommand, "/")).toBe(runCommand);
});

describe.skipIf(missing !== undefined)("rpm, which writes even to answer", () => {
  test("is asked in a root of root's own", async () => {
    const asked = inspectRpm({ run: runInTrusted(runCommand, root), root }, [agent], () => false);
    expect(await asked).toEqual([{ kind: "absent" }]);
  });

  test("is not asked where another user could lead it elsewhere: left alone, it makes a database there", async () => {
    leadDatabaseOutside();
    for (const path of ["", "var", "var/lib", "usr", "usr/lib"]) chownSync(join(root, path), 12_002, 12_002);
    const asked = inspectRpm({ run: runInTrusted(runCommand, root), root }, [agent], () => false);
    await expect(asked).rejects.toMatchObject({ code: "path-untrusted" });
    expect(readdirSync(outside)).toEqual([]);
    await inspectRpm({ run: runCommand, root }, [agent], () => false);
    expect(readdirSync(outside)).not.toEqual([]);
  });
});

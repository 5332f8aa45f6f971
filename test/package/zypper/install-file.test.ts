import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { installFileUnderLocks } from "../../../src/package/zypper/install-file.ts";
import { rpmThatIsNever } from "../rpm/never.ts";
import { change } from "./calls.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "svc-upgrade-zypper-"))));
afterEach(() => rm(root, { recursive: true }));

describe("a file under zypper's locks", () => {
  test("is not installed past one, and is past one that is lifted", async () => {
    await mkdir(join(root, "etc/zypp"), { recursive: true });
    await writeFile(
      join(root, "etc/zypp/locks"),
      "\ntype: package\nmatch_type: glob\ncase_sensitive: on\nsolvable_name: svc-*\n",
    );
    const install = (hold: "none" | "lifted"): Promise<void> =>
      installFileUnderLocks({ rpm: rpmThatIsNever("asked"), root }, change("15.4.6-1", { hold }), "/kept/file.rpm");
    await expect(install("none")).rejects.toMatchObject({
      code: "plan-refused",
      hint: expect.stringContaining("zypper locks") as string,
    });
    await expect(install("lifted")).rejects.toThrow("asked");
    await rm(join(root, "etc/zypp/locks"));
    await expect(install("none")).rejects.toThrow("asked");
  });
});

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { installFilesUnderLocks } from "../../../../src/updater/package/zypper/working-half.ts";
import { rpmThatIsNever } from "../rpm/never.ts";
import { fileOf } from "../rpm/on-host.ts";
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
      installFilesUnderLocks({ rpm: rpmThatIsNever("asked"), root }, change("15.4.6-1", { hold }), [
        fileOf("svc-ent", "15.4.6-1", "/kept/file.rpm"),
      ]);
    await expect(install("none")).rejects.toMatchObject({
      code: "plan-refused",
      hint: expect.stringContaining("zypper locks") as string,
    });
    await expect(install("lifted")).rejects.toThrow("asked");
    await rm(join(root, "etc/zypp/locks"));
    await expect(install("none")).rejects.toThrow("asked");
  });

  test("of what moves along is not installed past one, but by the lock that is lifted and where it is there already", async () => {
    await mkdir(join(root, "etc/zypp"), { recursive: true });
    const locked = async (name: string): Promise<void> =>
      writeFile(join(root, "etc/zypp/locks"), `\ntype: package\nmatch_type: glob\ncase_sensitive: on\nsolvable_name: ${name}\n`);
    const rpm = {
      ...rpmThatIsNever("asked"),
      rows: async () => [{ epoch: "0", version, release: "1", architecture: "noarch", instance: 1 }],
    };
    let version = "15.4.5";
    const install = (hold: "none" | "lifted"): Promise<void> =>
      installFilesUnderLocks({ rpm, root }, change("15.4.6-1", { hold }), [
        fileOf("svc-ent", "15.4.6-1", "/kept/file.rpm"),
        fileOf("svc-ent-data", "15.4.6-1", "/kept/data.rpm"),
      ]);
    await locked("svc-ent-data");
    for (const hold of ["none", "lifted"] as const) {
      await expect(install(hold)).rejects.toMatchObject({
        code: "plan-refused",
        message: "installing svc-ent 15.4.6-1 from its file would go past the lock of svc-ent-data",
      });
    }
    version = "15.4.6";
    await expect(install("none")).rejects.toThrow("asked");
    version = "15.4.5";
    await locked("svc-ent*");
    await expect(install("lifted")).rejects.toThrow("asked");
  });
});

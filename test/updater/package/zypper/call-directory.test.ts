import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withCallDirectory } from "../../../../src/updater/package/zypper/call-directory.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "svc-upgrade-zypper-"))));
afterEach(() => rm(root, { recursive: true }));

const remaining = (): Promise<readonly string[]> => readdir(join(root, "var/lib/svc-upgrade"));

describe("the directory of a call", () => {
  test("has the call's files, for its owner alone, and is gone afterwards", async () => {
    let seen = "";
    const result = await withCallDirectory(
      root,
      (directory) => ({ "repos.d/a.repo": `for ${directory}`, locks: "" }),
      async (directory) => {
        seen = await readFile(join(directory, "repos.d/a.repo"), "utf8");
        expect(seen).toBe(`for ${directory}`);
        expect((await stat(directory)).mode & 0o777).toBe(0o700);
        expect((await stat(join(directory, "repos.d/a.repo"))).mode & 0o777).toBe(0o600);
        return 7;
      },
    );
    expect(result).toBe(7);
    expect(seen).not.toBe("");
    expect(await remaining()).toEqual([]);
  });

  test("is gone after a call that failed, and is another one for each", async () => {
    const directories = new Set<string>();
    const failing = (): Promise<never> =>
      withCallDirectory(
        root,
        () => ({}),
        (directory) => {
          directories.add(directory);
          return Promise.reject(new Error("the call failed"));
        },
      );
    // Both: the slower one still has its directory to take away when the other has failed.
    const failed = { status: "rejected", reason: expect.objectContaining({ message: "the call failed" }) as Error };
    expect(await Promise.allSettled([failing(), failing()])).toEqual([failed, failed]);
    await expect(failing()).rejects.toThrow("the call failed");
    expect(directories.size).toBe(3);
    expect(await remaining()).toEqual([]);
  });

  test("is not made where a link leads out of the root", async () => {
    const outside = await mkdtemp(join(tmpdir(), "svc-upgrade-outside-"));
    await mkdir(join(root, "var/lib"), { recursive: true });
    await symlink(outside, join(root, "var/lib/svc-upgrade"));
    const call = withCallDirectory(
      root,
      () => ({ locks: "" }),
      () => Promise.resolve(),
    );
    await expect(call).rejects.toMatchObject({ code: "path-untrusted" });
    expect(await readdir(outside)).toEqual([]);
    await rm(outside, { recursive: true });
  });

  test.skipIf(process.getuid?.() !== 0)("is not made in a tree of another user, who could lead it elsewhere", async () => {
    await chown(root, 12_002, 12_002);
    const call = withCallDirectory(
      root,
      () => ({ locks: "" }),
      () => Promise.resolve(),
    );
    await expect(call).rejects.toMatchObject({ code: "path-untrusted" });
    expect(await readdir(root)).toEqual([]);
  });

  test("says so where it cannot be made", async () => {
    await writeFile(join(root, "var"), "");
    const call = withCallDirectory(
      root,
      () => ({}),
      () => Promise.resolve(),
    );
    await expect(call).rejects.toMatchObject({ code: "file-failed", message: expect.stringContaining(root) as string });
  });

  test("says so where its files cannot be written, with what to type, and leaves nothing", async () => {
    const call = withCallDirectory(
      root,
      () => ({ locks: "", "locks/below": "" }),
      () => Promise.resolve(),
    );
    await expect(call).rejects.toMatchObject({
      code: "file-failed",
      message: expect.stringMatching(/^what zypper has to be told could not be written below .*\/zypper-\w+$/) as string,
      hint: expect.stringContaining("`systemctl start svc-upgrade.service`") as string,
      cause: expect.objectContaining({ syscall: "mkdir" }) as Error,
    });
    expect(await remaining()).toEqual([]);
  });
});

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withCallFile } from "../../../../src/updater/package/call/call-file.ts";
import { withPrivateDirectory } from "../../../../src/updater/package/call/private-directory.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const folder = scratchFolder();

test("a file of one call lies on the machine for as long as the call takes, with its mode", async () => {
  const onMachine = `${folder}/run/new/call.conf`;
  rmSync(`${folder}/run`, { recursive: true, force: true });
  const work = withCallFile("/", { onMachine, mode: 0o644, text: "text\n" }, async (path) => {
    expect([path, readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual([onMachine, "text\n", 0o644]);
    throw new Error("the call");
  });
  await expect(work).rejects.toThrow("the call");
  expect(existsSync(onMachine)).toBe(false);
});

test("a private directory goes with all that is in it, or is gone already", async () => {
  const full = await withPrivateDirectory(async (directory) => {
    writeFileSync(join(directory, "x"), "");
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    return directory;
  });
  const gone = await withPrivateDirectory(async (directory) => {
    rmSync(directory, { recursive: true });
    return directory;
  });
  expect([existsSync(full), existsSync(gone)]).toEqual([false, false]);
});

import { mkdtempSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readConfiguration } from "../../../../src/updater/package/rpm/read-configuration.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const scratch = scratchFolder();

test("configuration is read also where an admin has linked it, up to a mebibyte, and is none where it is not there", () => {
  const folder = mkdtempSync(`${scratch}/etc-`);
  writeFileSync(`${folder}/there`, "[main]\n");
  symlinkSync("there", `${folder}/linked`);
  expect(readConfiguration(`${folder}/linked`)).toBe("[main]\n");
  expect(readConfiguration(`${folder}/none`)).toBeUndefined();
  truncateSync(`${folder}/there`, 1024 * 1024);
  expect(readConfiguration(`${folder}/there`)).toHaveLength(1024 * 1024);
  truncateSync(`${folder}/there`, 1024 * 1024 + 1);
  expect(readConfiguration(`${folder}/there`)).toBeUndefined();
});

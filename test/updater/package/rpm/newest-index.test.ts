import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { newestIndex } from "../../../../src/updater/package/rpm/newest-index.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const scratch = scratchFolder();

test("the lists were last asked for when the youngest of their indexes says so, in whole seconds; never, where there is none", () => {
  const lists = mkdtempSync(`${scratch}/lists-`);
  expect(newestIndex(`${lists}/none`)).toBeUndefined();
  mkdirSync(`${lists}/empty`);
  expect(newestIndex(lists)).toBeUndefined();
  for (const [name, at] of Object.entries({ old: 1_700_000_000, young: 1_800_000_000.9, older: 1_600_000_000 })) {
    mkdirSync(`${lists}/${name}/repodata`, { recursive: true });
    writeFileSync(`${lists}/${name}/repodata/repomd.xml`, "");
    utimesSync(`${lists}/${name}/repodata/repomd.xml`, at, at);
  }
  expect(newestIndex(lists)).toBe(1_800_000_000);
});

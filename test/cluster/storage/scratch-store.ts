import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { storePath } from "../../../src/cluster/storage/store-path.ts";

/** Where a store may lie, in a directory that goes with the test. */
export function scratchStore(): string {
  const path = newScratchStore();
  onTestFinished(() => rmSync(dirname(dirname(path)), { recursive: true, force: true }));
  return path;
}

/** In a directory that whoever asks removes: the parent of the store's own. */
export function newScratchStore(): string {
  return storePath(mkdtempSync(join(tmpdir(), "cluster-store-")));
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll } from "vitest";

/** A folder of this test file's own, removed when it is through. */
export function scratchFolder(): string {
  const folder = mkdtempSync(`${tmpdir()}/svc-upgrade-test-`);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, onTestFinished } from "vitest";

/** A folder of this test file's own, removed when it is through. */
export function scratchFolder(): string {
  const folder = mkdtempSync(`${tmpdir()}/svc-upgrade-test-`);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A folder of this test's own, removed when it is over. */
export function scratchOfTest(): string {
  const folder = mkdtempSync(`${tmpdir()}/svc-upgrade-test-`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Below a root that is not a mount of its own. */
export function inChroot(): boolean {
  return !readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .some((line) => line.split(" ")[4] === "/");
}

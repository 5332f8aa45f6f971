import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writePidFile } from "../../../src/cluster/svc/pid-file.ts";
import { textOf } from "./process.ts";

test.each([
  ["nothing", "", true],
  ["the number of a process that was killed", "812\n", true],
  ["a configuration", "auth_service: {cluster_name: example}\n", false],
  ["more than any number has", "#".repeat(1000), false],
])("of a file with %s in it: what is somebody's is left as it is", (_what, before, isTaken) => {
  const directory = mkdtempSync(join(tmpdir(), "pid-"));
  try {
    const path = join(directory, "svc.pid");
    writeFileSync(path, before);
    if (isTaken) writePidFile(path, 4711);
    else expect(() => writePidFile(path, 4711)).toThrow("is left as it is");
    expect(textOf(path)).toBe(isTaken ? "4711\n" : before);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

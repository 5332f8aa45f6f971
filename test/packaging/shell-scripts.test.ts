import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";

/** What people run as it lies there, on whichever host. */
const scripts = ["install.sh", "deb/trial"].map((path) => join(import.meta.dirname, "../../packaging", path));

const checks: readonly (readonly [program: string, ...options: readonly string[]])[] = [
  ["shellcheck", "--shell=sh"],
  ["dash", "-n"],
  ["bash", "--posix", "-n"],
  ["busybox", "ash", "-n"],
];

describe.each(scripts.map((script) => [basename(script), script] as const))("%s", (_name, script) => {
  for (const [program, ...options] of checks) {
    test.skipIf(spawnSync(program, ["--help"]).error !== undefined)(`gives ${program} nothing to say`, () => {
      const { status, stdout, stderr } = spawnSync(program, [...options, script], { encoding: "utf8" });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    });
  }
});

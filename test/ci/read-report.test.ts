import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const project = join(import.meta.dirname, "../..");
let folder: string;
let report: string;

/** The reporter's own, of tests that pass, fail, are left out, and of a file that cannot be read. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-upgrade-report-"));
  report = join(folder, "report.json");
  writeTests({
    "fails.test.ts":
      'import { expect, test } from "vitest";\ntest("adds", () => expect(1 + 1).toBe(3));\ntest("is there", () => {});\ntest.skip("is left out", () => {});\n',
    "broken.test.ts": 'throw new Error("cannot be read\\nat all");\n',
  });
  const vitest = join(project, "node_modules/vitest/vitest.mjs");
  try {
    execFileSync(process.execPath, [vitest, "run", "--root", folder, "--reporter=json", `--outputFile=${report}`], {
      cwd: project,
      stdio: "ignore",
    });
  } catch {
    // Two of the files fail, as they must.
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeTests(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function read(what: string): readonly string[] {
  const said = execFileSync(process.execPath, [join(project, ".ci/read-report.mjs"), what, report], { encoding: "utf8" });
  return said.trimEnd().split("\n");
}

test("CI counts what passed, failed and was left out, a file that cannot be read among the failed", () => {
  expect(read("counts")).toEqual(["1 2 1"]);
});

test("CI names each test that failed, with the first line of what it said", () => {
  expect(read("failures").toSorted()).toEqual([
    expect.stringMatching(/broken\.test\.ts: (?:Error: )?cannot be read$/),
    expect.stringMatching(/fails\.test\.ts: adds: AssertionError: expected 2 to be 3/),
  ]);
});

test("CI names the files that took longest", () => {
  expect(
    read("slowest")
      .map((line) => line.replace(/^ *\d+ +.*\//, ""))
      .toSorted(),
  ).toEqual(["broken.test.ts", "fails.test.ts"]);
});

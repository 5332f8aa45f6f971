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
      'import { describe, expect, test } from "vitest";\ndescribe("adds (whole)", () => test("one and one", () => expect(1 + 1).toBe(3)));\ntest("is there", () => {});\ntest.skip("is left out", () => {});\n',
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

function read(what: string, of = report): readonly string[] {
  const said = execFileSync(process.execPath, [join(project, ".ci/read-report.mjs"), what, of], { encoding: "utf8" });
  return said.trimEnd().split("\n");
}

test("CI counts what passed, failed and was left out, a file that cannot be read among the failed", () => {
  expect(read("counts")).toEqual(["1 2 1"]);
});

test("CI names each test that failed, with the first line of what it said", () => {
  expect(read("failures").toSorted()).toEqual([
    expect.stringMatching(/broken\.test\.ts: (?:Error: )?cannot be read$/),
    expect.stringMatching(/fails\.test\.ts: adds \(whole\) one and one: AssertionError: expected 2 to be 3/),
  ]);
});

test("CI plays what failed again by its full title, and a file that cannot be read whole", () => {
  expect(read("again").toSorted()).toEqual([
    expect.stringMatching(/broken\.test\.ts\t-\t.*broken\.test\.ts$/),
    expect.stringMatching(/fails\.test\.ts\t\^adds \\\(whole\\\) > one and one\$\tadds \(whole\) > one and one$/),
  ]);
});

test("CI counts of a run by the gate's list only what the list names", () => {
  const told = (status: string, meta: object): object => ({ status, meta, title: status, fullName: status, ancestorTitles: [] });
  const of = join(folder, "gate.json");
  const assertionResults = [told("passed", { begun: true }), told("skipped", { begun: true }), told("skipped", {})];
  const testResults = [{ name: "one.test.ts", status: "passed", assertionResults }];
  writeFileSync(of, JSON.stringify({ numPassedTests: 1, numFailedTests: 0, testResults }));
  expect(read("counts", of)).toEqual(["1 0 1"]);
});

test("CI names the files that took longest", () => {
  expect(
    read("slowest")
      .map((line) => line.replace(/^ *\d+ +.*\//, ""))
      .toSorted(),
  ).toEqual(["broken.test.ts", "fails.test.ts"]);
});

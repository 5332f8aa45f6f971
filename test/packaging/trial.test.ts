import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const script = join(import.meta.dirname, "../../packaging/deb/trial");

function trial(...words: readonly string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  return spawnSync("sh", [script, ...words], { encoding: "utf8" });
}

describe("trial", () => {
  test.each([[[]], [["setup"]], [["remove", "at"]], [["set-up", "at", "cron"]], [["--help", "remove"]]])(
    "refuses %j with 64, and says what it takes",
    (words) => {
      const said = "trial: it is trial set-up, trial set-up PACKAGE, or trial remove: see trial --help\n";
      expect(trial(...words)).toMatchObject({ status: 64, stdout: "", stderr: said });
    },
  );

  test("explains itself", () => {
    expect(trial("--help")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^usage: trial set-up/), stderr: "" });
  });
});

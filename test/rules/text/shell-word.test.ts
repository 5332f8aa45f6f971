import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { shellWord } from "../../../src/rules/text/shell-word.ts";

describe("a word for the shell", () => {
  test.each(["/etc/svc-upgrade/10-cluster.yaml", "/a b/c", "/it's", "/$HOME;rm -r/`x`", "/new\nline", "*"])(
    "means %j alone",
    (path) => {
      expect(execFileSync("sh", ["-c", `printf %s ${shellWord(path)}`], { encoding: "utf8" })).toBe(path);
    },
  );

  test("stays bare where it can", () => {
    expect(shellWord("/etc/default/svc")).toBe("/etc/default/svc");
  });
});

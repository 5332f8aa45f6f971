import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharpFilters } from "../sharp-filters.ts";

const project = join(import.meta.dirname, "../..");
const vitest = join(project, "node_modules/vitest/vitest.mjs");

test("a filter that is a folder runs its tests, and none of a folder whose name only begins so", () => {
  const argv = [vitest, "list", "--filesOnly", "--config", "test/vitest.config.ts", ...sharpFilters(["test/rules/fault"])];
  const listed = execFileSync(process.execPath, argv, { cwd: project, encoding: "utf8" }).trim().split("\n");
  expect(listed.toSorted()).toEqual(globSync("test/rules/fault/**/*.test.ts", { cwd: project }).toSorted());
});

test("every other word is left as it is", () => {
  const words = ["test/rules/fault/", "test/rules/fault/quote.test.ts", "quote", "-t", "a title", "--reporter=json"];
  expect(sharpFilters(words)).toEqual(words);
});

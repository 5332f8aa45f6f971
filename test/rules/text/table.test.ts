import { expect, test } from "vitest";
import { printJson } from "../../../src/rules/shape/print-json.ts";
import { facts, table } from "../../../src/rules/text/table.ts";

test("columns are as wide as their widest cell, also where a row has fewer cells or more", () => {
  expect(table(["Name", "Roles"], [["alice", "editor"], ["b"], ["c", "d", "e"]])).toBe(
    "Name   Roles\n-----  ------\nalice  editor\nb\nc      d       e\n",
  );
});

test("a character of two code units takes one column", () => {
  expect(
    table(
      ["A", "B"],
      [
        ["\u{1F600}x", "1"],
        ["yy", "2"],
      ],
    ),
  ).toBe("A   B\n--  -\n\u{1F600}x  1\nyy  2\n");
});

test("names stand in one column, and what is told of them in the next", () => {
  expect(
    facts([
      ["user", "alice"],
      ["cluster", "example"],
    ]),
  ).toBe("user     alice\ncluster  example\n");
});

test("JSON is indented, and moves no terminal", () => {
  expect(printJson({ name: "a\u202Eb\u{E0001}" })).toBe('{\n  "name": "a\\u202eb\\udb40\\udc01"\n}\n');
});

import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { culpritsIn } from "../../../../src/updater/package/apt/culprits.ts";

const heading = "E: Unable to satisfy dependencies. Reached two conflicting assignments:";

describe("what stands in the way of a plan", () => {
  test.each<[string, readonly string[], string | undefined]>([
    ["nothing is told, though lines are indented", ["   1. one is selected"], undefined],
    [
      "more than can be told",
      Array.from({ length: 9 }, (_, at) => ` p${at} : Depends: x`),
      "p0 : Depends: x; p1 : Depends: x; p2 : Depends: x; p3 : Depends: x",
    ],
    ["the solver says nothing more", [heading], undefined],
    ["the solver's words, up to the next error", [heading, "   1. one is selected", "E: and another"], "one is selected"],
    [
      "the solver's choices, left out",
      [heading, "   1. one Depends two", "      but none of these:", "      [three, four]"],
      "one Depends two but none of these",
    ],
  ])("%s", (_title, lines, told) => {
    expect(culpritsIn(lines.join("\n"))).toBe(told);
  });

  test("is told in no more words than two hundred of each relation, and four hundred of the solver", () => {
    const relation = (length: number): string => ` p : Depends: ${"x".repeat(length - "p : Depends: ".length)}`;
    expect(culpritsIn(relation(200))).toMatch(/x$/);
    expect(culpritsIn(relation(201))).toMatch(/x…$/);
    const solver = (length: number): string | undefined => culpritsIn(`${heading}\n   1. ${"x".repeat(length)}`);
    expect(solver(400)).toBe("x".repeat(400));
    expect(solver(401)).toBe(`${"x".repeat(400)}…`);
  });

  test("is short, whatever apt prints", () => {
    const isShort = (text: string): boolean =>
      (culpritsIn(`${heading}\n   1. ${text}\n ${text} : Breaks: ${text}`)?.length ?? 0) < 1000;
    assert(property(string({ maxLength: 5000 }), isShort));
  });
});

import { describe, expect, test } from "vitest";
import { covers, parseObsoletes } from "../../../src/package/rpm/refuse-removals.ts";

describe("what a package takes the place of", () => {
  test("is told by rpm as name, order and version, and nothing is nothing", () => {
    expect(parseObsoletes("companion\t<\t2\nnothing-there\t\t\n")).toEqual([
      { name: "companion", order: "<", version: "2" },
      { name: "nothing-there", order: "", version: "" },
    ]);
    expect(parseObsoletes("")).toEqual([]);
  });

  test.each([
    { order: "<", version: "2", installed: "0:1.9-1", is: true },
    { order: "<", version: "2", installed: "0:2-1", is: false },
    { order: "<=", version: "2", installed: "0:2-7.el9", is: true },
    { order: "<=", version: "2-1", installed: "0:2-7.el9", is: false },
    { order: "=", version: "2-7.el9", installed: "0:2-7.el9", is: true },
    { order: ">", version: "2", installed: "0:2.1-1", is: true },
    { order: ">=", version: "1:2", installed: "0:3-1", is: false },
    { order: "<", version: "1:2", installed: "0:3-1", is: true },
    { order: "", version: "", installed: "5:9-9", is: true },
  ])("$order $version covers $installed: $is", ({ order, version, installed, is }) => {
    expect(covers({ name: "companion", order, version }, installed)).toBe(is);
  });
});

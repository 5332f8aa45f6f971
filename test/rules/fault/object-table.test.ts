import { expect, test } from "vitest";
import { clusterFaultTable } from "../../../src/rules/fault/cluster-table.ts";
import { isObjectCode, objectFaultTable } from "../../../src/rules/fault/object-table.ts";
import { faultTable } from "../../../src/rules/fault/table.ts";

test("a code stands in one table", () => {
  const codes = [faultTable, clusterFaultTable, objectFaultTable].flatMap((table) => Object.keys(table));
  expect(new Set(codes).size).toBe(codes.length);
});

test("faults of objects are told from the others", () => {
  expect(["object-absent", "channel-unreachable"].map(isObjectCode)).toEqual([true, false]);
});

import { expect, test } from "vitest";
import { exitStatus } from "../../../src/rules/fault/explain.ts";
import { faultTable, type FaultCode } from "../../../src/rules/fault/table.ts";

const codes = Object.keys(faultTable) as FaultCode[];

/** The statuses that a fault may end with, as docs/reasons-and-faults.md and the man page list them; 0 and 100 are no faults, 10 is told by the rollback. */
const faultStatuses: readonly number[] = [11, 64, 65, 69, 70, 71, 73, 74, 75, 77, 78];

test.each(codes)("%s has a status that is listed, and a meaning", (code) => {
  const row = faultTable[code];
  expect(faultStatuses).toContain(row.exit);
  expect(exitStatus(code)).toBe(row.exit);
  expect(row.meaning).toMatch(/^[a-z].{14,}[^.]$/);
});

/** A version that failed is not tried again, and a better one heals the host; but nothing moves after a rollback that failed. */
test.each(codes)("%s heals by itself exactly when nothing was done, or a version failed", (code) => {
  const versionFailed = exitStatus(code) === 11 && code !== "way-back-failed";
  expect(faultTable[code].heals === "by-itself").toBe(versionFailed || exitStatus(code) === 75);
});

test("every listed status is used", () => {
  expect(new Set(codes.map(exitStatus))).toEqual(new Set(faultStatuses));
});

test("no two faults mean the same", () => {
  expect(new Set(codes.map((code) => faultTable[code].meaning)).size).toBe(codes.length);
});

test("a crash of the runtime is never taken for a fault of ours", () => {
  expect(codes.map(exitStatus)).not.toContain(1);
});

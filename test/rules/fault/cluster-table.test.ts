import { describe, expect, test } from "vitest";
import { clusterFaultTable } from "../../../src/rules/fault/cluster-table.ts";

/** sysexits.h: data, service, a bug, cannot create, input and output, try again, permission, configuration; and the shell's own for Ctrl-C. */
const statuses = [65, 69, 70, 73, 74, 75, 77, 78, 130];

describe("every fault of a cluster's programs", () => {
  test.each(Object.entries(clusterFaultTable))("has its status, what it means and what to do: %s", (_code, row) => {
    expect(statuses).toContain(row.exit);
    for (const sentence of [row.meaning, row.remedy]) expect(sentence).toMatch(/^[a-z/`].*[^.]$/);
    // Whatever heals by itself is worth another try.
    expect(row.heals === "by-itself" ? row.exit : 75).toBe(75);
  });
});

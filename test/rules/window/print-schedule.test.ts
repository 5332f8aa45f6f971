import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillUp, printSchedule, saysTheSame, type ClusterSchedule } from "../../../src/rules/window/print-schedule.ts";
import { parseSchedule } from "../../../src/rules/window/schedule.ts";
import { clusterIn, noteIn, summedIn, sumLength, withSum } from "../../../src/rules/window/schedule-sum.ts";

const at = 1_800_000_000;
const sum = "0123456789abcdef".repeat(4);

const openings = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 9_999_000_000 }), fc.integer({ min: 1, max: 900_000 })).map(([start, length]) => ({
    start,
    stop: start + length,
  })),
  { maxLength: 80 },
);
const schedules: fc.Arbitrary<ClusterSchedule> = fc.record({
  cluster: fc.oneof(fc.constant("example.com"), fc.string({ unit: "binary", maxLength: 200 })),
  hasWindow: fc.boolean(),
  openings,
});

describe("a cluster's schedule", () => {
  test("says who wrote it, when, from where, and ends with its sum", () => {
    const schedule = { cluster: "example", hasWindow: true, openings: [{ start: at, stop: at + 3600 }] };
    expect(withSum(printSchedule(schedule, at), sum)).toBe(
      `# Written by svc at 2027-01-15T08:00:00Z; the last line is the sum of the others
# The maintenance windows of the cluster example
1800000000 1800003600
# sum ${sum}
`,
    );
  });

  test("names the cluster to whoever reads it", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9.-]{0,90}$/), fc.boolean(), (cluster, hasWindow) => {
        expect(clusterIn(printSchedule({ cluster, hasWindow, openings: [] }, at))).toBe(cluster);
      }),
    );
    expect(clusterIn("# Written by hand\n1800000000 1800003600\n")).toBeUndefined();
  });

  test("has a note for people on its third line, which is another schedule and the same windows", () => {
    const schedule = { cluster: "example", hasWindow: true, openings: [{ start: at, stop: at + 3600 }] };
    const text = printSchedule({ ...schedule, note: "update auth\nfirst \u2028é" }, at);
    expect(noteIn(text)).toBe("update auth first  ?");
    expect(clusterIn(text)).toBe("example");
    expect(parseSchedule(withSum(text, sum))).toEqual({ kind: "windows", windows: schedule.openings });
    expect(saysTheSame(text, schedule)).toBe(false);
    expect([noteIn(printSchedule(schedule, at)), noteIn("")]).toEqual([undefined, undefined]);
  });

  test("says so where no window is configured", () => {
    const text = printSchedule({ cluster: "example", hasWindow: false, openings: [] }, at);
    expect(text).toContain("# No maintenance window is configured in the cluster example\n");
    expect(parseSchedule(withSum(text, sum))).toEqual({ kind: "empty" });
  });

  test("is read as it was meant, also filled up to any length", () => {
    fc.assert(
      fc.property(schedules, fc.nat(3000), (schedule, more) => {
        const before = printSchedule(schedule, at);
        const filled = fillUp(before, before.length + more);
        expect(Buffer.byteLength(filled)).toBe(before.length + more);
        const text = withSum(filled, sum);
        expect(text.length).toBe(filled.length + sumLength);
        expect(summedIn(text)).toEqual({ kind: "summed", before: filled, sum });
        const windows = schedule.openings;
        expect(parseSchedule(text)).toEqual(windows.length === 0 ? { kind: "empty" } : { kind: "windows", windows });
        expect(saysTheSame(filled, schedule)).toBe(true);
      }),
    );
  });

  test("is another one where an opening, the cluster or whether it has a window is another", () => {
    const schedule = { cluster: "example", hasWindow: true, openings: [{ start: at, stop: at + 3600 }] };
    const text = printSchedule(schedule, at);
    expect(saysTheSame(text, { ...schedule, openings: [{ start: at, stop: at + 3601 }] })).toBe(false);
    expect(saysTheSame(text, { ...schedule, openings: [] })).toBe(false);
    expect(saysTheSame(text, { ...schedule, cluster: "other" })).toBe(false);
    expect(saysTheSame(text, { ...schedule, hasWindow: false })).toBe(false);
    expect(saysTheSame(printSchedule(schedule, at + 86_400), schedule)).toBe(true);
  });

  test("that is cut anywhere behind its first line is known as cut, and another program's is plain", () => {
    const text = withSum(printSchedule({ cluster: "example", hasWindow: true, openings: [{ start: 1, stop: 2 }] }, at), sum);
    for (let end = text.indexOf("\n") + 1; end < text.length - 1; end += 1) expect(summedIn(text.slice(0, end)).kind).toBe("cut");
    expect(summedIn(`${text}1 2\n`).kind).toBe("cut");
    for (const plain of ["", "1 2\n", "# made by the agent\n1 2\n", "# sum of all: 7\n"])
      expect(summedIn(plain)).toEqual({ kind: "plain" });
  });
});

test("a sum alone is the sum of nothing", () => {
  expect(summedIn(withSum("", sum))).toEqual({ kind: "summed", before: "", sum });
});

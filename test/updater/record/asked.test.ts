import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Asked } from "../../../src/updater/plan/host-policy.ts";
import { decodeAsked, encodeAsked, isFresh } from "../../../src/updater/record/asked.ts";

const anyAsked: fc.Arbitrary<Asked> = fc.record({
  when: fc.constantFrom("timer", "now", "back"),
  absent: fc.constantFrom("stop", "install"),
});

describe("the note of what is asked", () => {
  test("comes back as it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), anyAsked, fc.option(fc.uuid(), { nil: undefined }), (at, asked, pass) => {
        expect(decodeAsked(encodeAsked({ at, asked, pass }))).toMatchObject({ kind: "read", value: { at, asked, pass } });
      }),
    );
  });

  test.each(["now", "back"] as const)("is one line: %s", (when) => {
    const note = encodeAsked({ at: 7, asked: { when, absent: "stop" }, pass: undefined });
    expect(note).toBe(`{"schema":1,"at":7,"asked":{"when":"${when}","absent":"stop"}}\n`);
  });

  test.each([
    ['{"schema":2,"at":7,"asked":{"when":"now","absent":"stop"}}'],
    ['{"schema":1,"at":"7","asked":{"when":"now","absent":"stop"}}'],
    ['{"schema":1,"at":7,"asked":{"when":"soon","absent":"stop"}}'],
    ['{"schema":1,"at":7,"asked":{"when":"now"}}'],
    [`{"schema":1,"at":7,"asked":{"when":"now","absent":"stop"},"pass":"${"a".repeat(65)}"}`],
  ])("that reads %j is none: nothing is guessed of what moves a host", (text) => {
    expect(decodeAsked(text).kind).toBe("unreadable");
  });

  test("may ask for more than is known here", () => {
    const note = '{"schema":1,"at":7,"asked":{"when":"now","absent":"stop","force":true},"also":1}';
    expect(decodeAsked(note)).toMatchObject({ kind: "read", value: { at: 7, asked: { when: "now", absent: "stop" } } });
  });

  test.each([
    [0, true],
    [60, true],
    [61, false],
    [-61, false],
  ])("that is %i seconds old speaks for a pass: %j", (age, isTaken) => {
    expect(isFresh({ at: 1000 - age }, 1000, "for a pass that begins")).toBe(isTaken);
  });
});

import { describe, expect, test } from "vitest";
import type { Served } from "../../../src/rules/channel/answer.ts";
import { weighCritical, type CriticalAnswer } from "../../../src/rules/channel/critical.ts";
import { nothingHeard, type Heard } from "../../../src/rules/channel/heard.ts";
import { version } from "../version/given.ts";

const now = 1_795_140_600;
const day = 86_400;
const served: Served = { kind: "version", version: version("15.4.6") };
const other: Served = { kind: "version", version: version("15.4.7") };
const unnamed: CriticalAnswer = { served, isCritical: false, doubt: { kind: "unnamed" } };
const agreed = (passes: number, changes: Partial<Heard> = {}): Heard => ({
  ...nothingHeard,
  agreed: { version: version("15.4.6"), passes },
  ...changes,
});

describe("a word on critical", () => {
  test.each<[string, CriticalAnswer]>([
    ["of the version served", { served, isCritical: true }],
    // A doubt is of an answer that does not count by itself.
    ["whatever else is doubted", { served, isCritical: true, doubt: { kind: "disagreeing" } }],
  ])("counts %s", (_title, answer) => {
    expect(weighCritical(answer, nothingHeard, now)).toEqual({ kind: "counts" });
  });

  test.each<[string, CriticalAnswer]>([
    ["nobody said", { served, isCritical: false }],
    ["no version is served", { served: { kind: "none" }, isCritical: true }],
  ])("is none where %s", (_title, answer) => {
    expect(weighCritical(answer, nothingHeard, now)).toEqual({ kind: "no" });
  });

  test.each<[CriticalAnswer["doubt"], RegExp]>([
    [{ kind: "another", named: other }, /^the answer is about v15\.4\.7, and v15\.4\.6 is served: /],
    [{ kind: "another", named: { kind: "none" } }, /^the answer is about none, /],
    [{ kind: "disagreeing" }, /^the version server was asked twice, and its two answers differ$/],
    [{ kind: "unnamed" }, /it counts if the next answer is the same$/],
  ])("does not count as %j", (doubt, told) => {
    expect(weighCritical({ served, isCritical: false, doubt }, nothingHeard, now)).toEqual({
      kind: "doubted",
      told: expect.stringMatching(told),
    });
  });

  test.each<[string, Heard, "counts" | "doubted"]>([
    ["two passes in a row agree", agreed(2), "counts"],
    ["one pass agrees", agreed(1), "doubted"],
    ["two agreed on another version", { ...nothingHeard, agreed: { version: version("15.4.7"), passes: 2 } }, "doubted"],
    ["answers disagreed just now", agreed(2, { disagreedAt: now }), "doubted"],
    ["answers disagreed almost a day ago", agreed(2, { disagreedAt: now - day + 1 }), "doubted"],
    ["answers disagreed a day ago", agreed(2, { disagreedAt: now - day }), "counts"],
    ["answers disagreed by a clock that ran ahead", agreed(2, { disagreedAt: now + 1 }), "counts"],
  ])("of a server that names no version, where %s: %s", (_title, heard, kind) => {
    expect(weighCritical(unnamed, heard, now).kind).toBe(kind);
  });

  test("says from when on it counts", () => {
    const verdict = weighCritical(unnamed, agreed(2, { disagreedAt: now - 600 }), now);
    expect(verdict).toMatchObject({
      told: expect.stringContaining("disagreed at 2026-11-20T02:00:00Z; it counts from 2026-11-21T02:00:00Z on"),
    });
  });
});

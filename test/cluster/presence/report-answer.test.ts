import { describe, expect, test } from "vitest";
import { readReportAnswer } from "../../../src/cluster/presence/report-answer.ts";

const opening = { start: "2027-01-15T08:00:00Z", stop: "2027-01-15T09:00:00Z" };

describe("auth's answer to a report", () => {
  test("holds openings in whole seconds, and when to report again", () => {
    const answer = {
      hasWindow: true,
      openings: [opening],
      reportAfterSeconds: 45,
      authVersion: "15.4.5",
      proxies: ["proxy.example.com:443", "b c", "a.example.com"],
    };
    expect(readReportAnswer(answer)).toEqual({
      hasWindow: true,
      openings: [{ start: 1_800_000_000, stop: 1_800_003_600 }],
      afterSeconds: 45,
      authVersion: "15.4.5",
      proxies: [{ host: "proxy.example.com", port: 443 }],
    });
    const finer = { ...opening, start: "2027-01-15T08:00:00.250Z" };
    expect(readReportAnswer({ hasWindow: true, openings: [finer] })).toMatchObject({ openings: [{ start: 1_800_000_000 }] });
  });

  test("without a window, as JSON leaves out what is false or empty", () => {
    expect(readReportAnswer({})).toEqual({ hasWindow: false, openings: [], afterSeconds: 600, authVersion: "", proxies: [] });
  });

  test.each([
    [0, 600],
    [-5, 600],
    [0.2, 1],
    [1, 1],
    [86_400, 3600],
    ["5", 600],
    [Number.NaN, 600],
  ])("that asks for %s seconds means %s", (asked, meant) => {
    expect(readReportAnswer({ reportAfterSeconds: asked as never })).toMatchObject({ afterSeconds: meant });
  });

  test.each([
    ["no openings", "soon"],
    ["an opening without an end", [{ start: opening.start }]],
    ["one that ends before it begins", [{ start: opening.stop, stop: opening.start }]],
    ["one that is as short as nothing", [{ start: opening.start, stop: opening.start }]],
    ["one before 1970", [{ start: "1969-01-01T00:00:00Z", stop: opening.stop }]],
    ["one beyond what a schedule can name", [{ start: opening.start, stop: "9999-01-01T00:00:00Z" }]],
    ["one among good ones", [opening, { start: "today", stop: "tomorrow" }]],
    ["too many", Array.from({ length: 1001 }, () => opening)],
    ["none, of a cluster that has a window", []],
  ])("with %s is not used", (_what, openings) => {
    expect(readReportAnswer({ hasWindow: true, openings: openings as never })).toBe("unusable");
  });
});

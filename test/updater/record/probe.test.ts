import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeProbe, encodeProbe, hopNames, longestProbeBytes } from "../../../src/updater/record/probe.ts";
import { probe } from "./arbitrary.ts";

const checks = hopNames.map((name) => ({ name, verdict: "ok", told: `${name} is well` }));
const [route, proxy, ...others] = checks;
const given = { pass: "a1", checks, answer: { kind: "served", served: { kind: "none" }, isCritical: false } };

function decoded(text: string): Extract<ReturnType<typeof decodeProbe>, { kind: "read" }>["value"] {
  const read = decodeProbe(text);
  if (read.kind === "unreadable") throw new Error(read.why);
  return read.value;
}

describe("a probe", () => {
  test("with plain words comes back as it was", () => {
    fc.assert(
      fc.property(probe("plain"), (proved) => {
        const read = decoded(encodeProbe(proved));
        expect(read.checks).toEqual(proved.checks.map((check) => ({ ...check })));
        expect(encodeProbe(read)).toBe(encodeProbe(proved));
      }),
    );
  });

  test("never outgrows its cap, stays readable and keeps every verdict, whatever is told", () => {
    fc.assert(
      fc.property(probe("any"), (proved) => {
        const encoded = encodeProbe(proved);
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(longestProbeBytes);
        const read = decoded(encoded);
        expect(read.checks.map(({ name, verdict }) => [name, verdict])).toEqual(
          proved.checks.map(({ name, verdict }) => [name, verdict]),
        );
      }),
    );
  });

  test.each([
    ["six of them whole, in plain letters", 6, "a", 800, 500],
    ["six of wide letters cut", 6, "😀", 250, 150],
  ])("has %s", (_title, stories, character, told, fix) => {
    const words = character.repeat(2000);
    const long = hopNames.map((name, index) =>
      index < stories
        ? { name, verdict: "failed" as const, told: words, fix: words }
        : { name, verdict: "ok" as const, told: "" },
    );
    const fault = { code: "bug" as const, message: words, hint: words, causes: [words] };
    const read = decoded(encodeProbe({ pass: "p".repeat(64), checks: long, answer: { kind: "fault", fault } }));
    expect(read.checks[0]).toEqual({
      name: "route",
      verdict: "failed",
      told: `${character.repeat(told)}…`,
      fix: `${character.repeat(fix)}…`,
    });
  });

  test("has its words made printable", () => {
    const wild = { ...route, told: "a\u001b[31m\nb", fix: "rm\r\u202e x" };
    expect(decoded(JSON.stringify({ ...given, checks: [wild, proxy, ...others] })).checks[0]).toEqual({
      name: "route",
      verdict: "ok",
      told: "a [31m b",
      fix: "rm  x",
    });
  });

  test.each([
    [{ checks: {} }, "checks is not a list"],
    [{ checks: [...checks, route] }, "checks is not a list of at most 6"],
    [{ checks: checks.slice(1) }, "checks is not every hop in its order"],
    [{ checks: [proxy, route, ...others] }, "checks is not every hop in its order"],
    [{ checks: [{ ...route, verdict: "well" }] }, "checks[0].verdict is not a word known here"],
    [{ checks: [{ ...route, told: "a".repeat(1602) }] }, "checks[0].told is not a text of at most 1601 characters"],
    [{ checks: [{ ...route, fix: "a".repeat(1002) }] }, "checks[0].fix is not a text of at most 1001 characters"],
  ])("with %o is refused", (change, why) => {
    expect(decodeProbe(JSON.stringify({ ...given, ...change }))).toEqual({ kind: "unreadable", why });
  });

  test("may look at more hops and say more than is known here", () => {
    const later = { name: "relay", verdict: "slow", told: "t" };
    const more = { ...given, extra: 1, checks: [later, { ...route, shell: "sh" }, ...checks.slice(1), later] };
    expect(decodeProbe(JSON.stringify(more))).toEqual(decodeProbe(JSON.stringify(given)));
    expect(decodeProbe(JSON.stringify({ ...given, checks: [null, ...checks] })).kind).toBe("unreadable");
  });
});

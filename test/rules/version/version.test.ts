import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareVersions, majorOf, parseVersion } from "../../../src/rules/version/version.ts";
import { anyVersion, version } from "./given.ts";

describe("a version is read", () => {
  test.each([
    ["three numbers", "15.4.6", "15.4.6"],
    ["zeros", "0.0.0", "0.0.0"],
    ["one leading v", "v15.4.6", "15.4.6"],
    ["a prerelease", "15.4.6-rc.1", "15.4.6-rc.1"],
    ["a prerelease with hyphens", "15.4.6--rc-1", "15.4.6--rc-1"],
    ["a build", "15.4.6+ent", "15.4.6+ent"],
    ["a prerelease and a build", "v15.4.6-rc.1+ent.7", "15.4.6-rc.1+ent.7"],
    ["a large number", "2026.11.20240101120000", "2026.11.20240101120000"],
  ])("with %s", (_, text, read) => {
    expect(parseVersion(text)).toBe(read);
  });

  test.each([
    ["nothing", ""],
    ["a v alone", "v"],
    ["two v", "vv15.4.6"],
    ["a large v", "V15.4.6"],
    ["an equals sign", "=15.4.6"],
    ["v and an equals sign", "v=15.4.6"],
    ["white space before it", " 15.4.6"],
    ["white space after the v", "v 15.4.6"],
    ["white space after it", "15.4.6 "],
    ["a tab after it", "15.4.6\t"],
    ["a newline after it", "15.4.6\n"],
    ["a byte order mark after it", "15.4.6\ufeff"],
    ["two versions", "15.4.6 15.4.7"],
    ["two lines", "15.4.6\n15.4.7"],
    ["two numbers", "15.4"],
    ["four numbers", "15.4.6.1"],
    ["a leading zero", "15.04.6"],
    ["a leading zero in the prerelease", "15.4.6-01"],
    ["a prerelease without its hyphen", "15.4.6rc1"],
    ["an empty prerelease", "15.4.6-"],
    ["an empty build", "15.4.6+"],
    ["an empty identifier", "15.4.6-rc..1"],
    ["an underscore", "15.4.6-rc_1"],
    ["a tilde", "15.4.6~rc.1"],
    ["other digits", "１５.4.6"],
    ["a sign", "-15.4.6"],
    ["a range", "^15.4.6"],
    ["a number beyond what can be counted", "15.4.99999999999999999999"],
    ["a path", "15.4.6/../../etc"],
    ["a word", "none"],
    ["too many characters", `15.4.6-${"a".repeat(122)}`],
  ])("never with %s", (_, text) => {
    expect(parseVersion(text)).toBeUndefined();
  });

  test("up to 128 characters long", () => {
    const longest = `15.4.6-${"a".repeat(121)}`;
    expect(parseVersion(longest)).toBe(longest);
  });

  test("whole: what is read is the text, less one v", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.tuple(anyVersion, fc.string({ maxLength: 3 })).map((parts) => parts.join("")),
      fc.tuple(fc.string({ maxLength: 3 }), anyVersion).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const read = parseVersion(text);
        expect([undefined, text.replace(/^v/, "")]).toContain(read);
        expect(read ?? "0.0.0").toMatch(/^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$/);
      }),
    );
  });

  test("again from what was read", () => {
    fc.assert(
      fc.property(anyVersion, (read) => {
        expect(parseVersion(read)).toBe(read);
        expect(parseVersion(`v${read}`)).toBe(read);
      }),
    );
  });
});

describe("versions are ordered", () => {
  test("as the semantic versioning page has it", () => {
    const ascending = [
      ..."0.9.9 1.0.0-0 1.0.0-9 1.0.0-10 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11".split(" "),
      ..."1.0.0-rc.1 1.0.0 1.0.1 1.0.10 1.2.0 1.10.0 2.0.0-rc.1 2.0.0 10.0.0".split(" "),
    ].map(version);
    for (const [lower, left] of ascending.entries()) {
      for (const [upper, right] of ascending.entries()) expect(compareVersions(left, right)).toBe(Math.sign(lower - upper));
    }
  });

  test("without regard to the build", () => {
    expect(compareVersions(version("15.4.6+a"), version("15.4.6+b"))).toBe(0);
  });

  test("the same both ways", () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, (left, right) => {
        expect(compareVersions(left, right) + compareVersions(right, left)).toBe(0);
        expect(compareVersions(left, left)).toBe(0);
      }),
    );
  });

  test("transitively", () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, anyVersion, (first, second, third) => {
        const [low, middle, high] = [first, second, third].toSorted(compareVersions) as [
          typeof first,
          typeof first,
          typeof first,
        ];
        expect(compareVersions(low, middle)).toBeLessThanOrEqual(0);
        expect(compareVersions(middle, high)).toBeLessThanOrEqual(0);
        expect(compareVersions(low, high)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("a prerelease before its release", () => {
    fc.assert(
      fc.property(anyVersion, (read) => {
        const bare = read.replace(/\+.*$/, "");
        const release = version(bare.replace(/-.*$/, ""));
        expect(compareVersions(read, release)).toBe(bare === release ? 0 : -1);
      }),
    );
  });
});

test.each([
  ["15.4.6", 15],
  ["0.1.0-rc.1", 0],
])("the major version of %s is %d", (text, major) => {
  expect(majorOf(version(text))).toBe(major);
});

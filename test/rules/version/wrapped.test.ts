import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareVersions } from "../../../src/rules/version/version.ts";
import { parsePackageVersion, wrappedVersion } from "../../../src/rules/version/wrapped.ts";
import { packageVersion, releaseText, version } from "./given.ts";

describe("a package version wraps its release", () => {
  test.each([
    ["bare", "15.4.6", "15.4.6"],
    ["a deb revision", "15.4.6-1", "15.4.6"],
    ["a deb epoch", "5:15.4.6", "15.4.6"],
    ["an epoch of zero", "0:15.4.6-1", "15.4.6"],
    ["an epoch and a revision for one release", "5:15.4.6-1~deb12u1", "15.4.6"],
    ["a backport", "15.4.6-1~bpo12+1", "15.4.6"],
    ["a binary rebuild by Debian", "1.5.0-1+b6", "1.5.0"],
    ["a revision by Ubuntu", "15.4.6-0ubuntu0.22.04.1", "15.4.6"],
    ["an upload by somebody else", "15.4.6-0.1", "15.4.6"],
    ["a rpm release", "15.4.6-1.el9", "15.4.6"],
    ["a rpm release with an architecture's build number", "15.4.6-150400.3.1", "15.4.6"],
    ["a rpm release of openSUSE Leap", "15.4.6-lp155.2.1", "15.4.6"],
    ["a rpm release of openSUSE's backports", "15.4.6-bp156.1.2", "15.4.6"],
    ["a rpm release of Amazon Linux", "15.4.6-1.amzn2023", "15.4.6"],
    ["a repacked source", "15.4.6+dfsg-1", "15.4.6+dfsg"],
    ["a downstream patch", "15.4.6+deb12u1", "15.4.6+deb12u1"],
    ["a version that replaces a higher one", "15.4.6+really15.4.5-1", "15.4.5"],
  ])("%s: %s", (_, text, wrapped) => {
    expect(wrappedVersion(packageVersion(text))).toBe(wrapped);
  });
});

describe("a package version wraps its prerelease", () => {
  test.each([
    ["with a tilde", "15.4.6~rc.1", "15.4.6-rc.1"],
    ["with a tilde and a deb revision", "15.4.6~rc.1-1", "15.4.6-rc.1"],
    ["with all that deb has", "5:15.4.6~rc.1-1~deb12u1", "15.4.6-rc.1"],
    ["with an underscore, as rpm must", "15.4.6_rc.1-1", "15.4.6-rc.1"],
    ["with an underscore and a distribution", "15.4.6_rc.1-1.el9", "15.4.6-rc.1"],
    ["with a hyphen", "15.4.6-rc.1", "15.4.6-rc.1"],
    ["with a hyphen and a revision", "15.4.6-rc.1-1", "15.4.6-rc.1"],
    ["with a number alone", "15.4.6~1-1", "15.4.6-1"],
    ["and a repacked source", "15.4.6~rc.1+dfsg-1", "15.4.6-rc.1+dfsg"],
    ["in the rpm release, the old way", "15.4.6-0.rc.1.el9", "15.4.6-0.rc.1.el9"],
    ["in the rpm release, without a dot", "15.4.6-0.1.beta2", "15.4.6-0.1.beta2"],
    ["in the deb revision", "15.4.6-1~rc1", "15.4.6-1-rc1"],
  ])("%s: %s", (_, text, wrapped) => {
    const read = wrappedVersion(packageVersion(text));
    expect(read).toBe(wrapped);
    expect(compareVersions(read!, version("15.4.6"))).toBe(-1);
  });

  test("and is never taken for its release, however it is wrapped", () => {
    const epoch = fc.constantFrom("", "0:", "5:");
    const joint = fc.constantFrom("~", "_", "-");
    const revision = fc.constantFrom("", "-1", "-1.el9", "-1+b6", "-1~deb12u1", "-0ubuntu1");
    const label = fc
      .tuple(fc.constantFrom("alpha", "beta", "rc", "dev", "pre"), fc.nat({ max: 30 }))
      .map((parts) => parts.join("."));
    fc.assert(
      fc.property(fc.tuple(epoch, releaseText, joint, label, revision), ([before, release, joined, named, after]) => {
        const read = wrappedVersion(packageVersion(`${before}${release}${joined}${named}${after}`));
        expect(read).toBe(`${release}-${named}`);
      }),
    );
  });

  test("not even where the prerelease stands in the wrong place", () => {
    const joint = fc.constantFrom("+", "^", "", ".", "+dfsg~", "+dfsg-0.", "-0.", "-1~", "-0.1.", "-1.");
    const label = fc
      .tuple(fc.constantFrom("alpha", "beta", "rc", "dev", "pre"), fc.constantFrom("", "1", ".1"))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(releaseText, joint, label, (release, joined, named) => {
        const read = wrappedVersion(packageVersion(`${release}${joined}${named}`));
        expect(read === undefined ? -1 : compareVersions(read, version(release))).toBe(-1);
      }),
    );
  });
});

describe("a package version wraps nothing", () => {
  test.each([
    ["that has two numbers", "15.4-1"],
    ["that has four numbers", "15.4.6.1-1"],
    ["whose prerelease is glued on", "15.4.6rc1-1"],
    ["that is a snapshot after a release", "15.4.6^20260101git-1"],
    ["whose prerelease hides in the build", "15.4.6+rc1-1"],
    ["whose prerelease hides behind a repacked source", "15.4.6+dfsg~rc1-1"],
    ["whose prerelease hides in the release of a repacked source", "15.4.6+dfsg-0.rc1"],
    ["that really is something unreadable", "15.4.6+really15.4-1"],
    ["that is a date", "20260101-1"],
    ["that is an epoch alone", "5:"],
  ])("%s: %s", (_, text) => {
    expect(wrappedVersion(packageVersion(text))).toBeUndefined();
  });
});

describe("a text is no package version", () => {
  test.each([
    ["empty", ""],
    ["an option", "--force"],
    ["an option behind a digit and a space", "1 --force"],
    ["a path", "../1.0.0"],
    ["a path behind a digit", "1/../../etc/passwd"],
    ["a newline at its end", "15.4.6-1\n"],
    ["a shell's word", "1.0.0;reboot"],
    ["an expansion", "1.0.0$(reboot)"],
    ["a glob", "1.0.*"],
    ["a name with its version", "svc-ent=15.4.6"],
    ["a null byte", "1.0.0\u0000"],
    ["letters beyond ASCII", "1.0.0-ü"],
    ["a leading v", "v15.4.6"],
    ["too long", "1".repeat(257)],
  ])("when it is %s", (_, text) => {
    expect(parsePackageVersion(text)).toBeUndefined();
  });

  test("or it is exactly what was read, and wrapping it never crashes", () => {
    const hostile = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[0-9][A-Za-z0-9.+:~^_-]{0,40}$/));
    fc.assert(
      fc.property(hostile, (text) => {
        const read = parsePackageVersion(text);
        if (read === undefined) return;
        expect(read).toBe(text);
        expect(read).toMatch(/^[^\s/=*-][^\s/=*]*$/);
        wrappedVersion(read);
      }),
    );
  });
});

import { describe, expect, test } from "vitest";
import { parseOptions, type AptOptions } from "../../../../../src/updater/package/apt/examine/config.ts";
import { parseReleases, type Release } from "../../../../../src/updater/package/apt/examine/releases.ts";
import { patternThatMoves } from "../../../../../src/updater/package/apt/examine/unattended.ts";
import type { PackageName } from "../../../../../src/rules/settings/settings.ts";
import { saved } from "../../saved.ts";

const name = "svc-ent" as PackageName;
const distribution = { id: "Debian", codename: "bookworm" };
const lab: Release = {
  list: "http://packages.example/ stable/main amd64 Packages",
  site: "packages.example",
  fields: { o: "Lab", l: "Lab, Inc.", a: "stable", n: "bookworm", c: "main" },
};

/** As it is shipped, with one pattern of the host's own. */
function optionsWith(pattern: string, ...more: readonly (readonly [string, string])[]): AptOptions {
  const on = ["APT::Periodic::Unattended-Upgrade", "1"] as const;
  return [
    on,
    ["Unattended-Upgrade::Origins-Pattern::", "origin=Debian"],
    ["Unattended-Upgrade::Origins-Pattern::", pattern],
    ...more,
  ];
}

function moves(options: AptOptions, releases: readonly Release[] = [lab]): string | undefined {
  return patternThatMoves(name, { options, releases, distribution });
}

describe("unattended-upgrades", () => {
  test("moves what Debian's security repository offers, as it is shipped", () => {
    const options = parseOptions(saved("config-unattended.txt"));
    const releases = parseReleases(saved("releases.txt"));
    expect(releases.map(({ fields }) => fields["n"])).toEqual(["bookworm-security", "bookworm-updates", "bookworm"]);
    expect(moves(options, releases.slice(0, 1))).toBe("origin=Debian,codename=bookworm-security,label=Debian-Security");
    expect(moves(options, releases.slice(1, 2))).toBeUndefined();
    expect(moves(options, releases.slice(2))).toBe("origin=Debian,codename=bookworm,label=Debian");
  });

  test.each([
    "origin=Lab, suite=stable",
    "archive=st*,component=main",
    "site=packages.example",
    "label=Lab\\, Inc.",
    "origin=L?b",
    "origin=[!K]ab",
  ])("is told to by the pattern %s", (pattern) => {
    expect(moves(optionsWith(pattern))).toBeDefined();
  });

  test("is told to where one of the repositories that offer it matches, by a field that is empty too", () => {
    const other: Release = { ...lab, fields: { o: "Other" } };
    expect(moves(optionsWith("origin=Lab"), [other, lab, other])).toBe("origin=Lab");
    expect(moves(optionsWith("origin=Other,component="), [other])).toBe("origin=Other,component=");
    expect(moves(optionsWith("origin=Lab,component="), [lab])).toBeUndefined();
  });

  test.each([
    "o=lab",
    "origin=Lab,suite=testing",
    "origin=Lab,nonsense=x",
    "site=example",
    "label=Lab. Inc.",
    "origin=[!L]ab",
    "codename=${distro_codename}-security",
    "",
  ])("is not told to by the pattern %s", (pattern) => {
    expect(moves(optionsWith(pattern))).toBeUndefined();
  });

  test("knows its older list, by origin and suite", () => {
    for (const entry of ["Lab:stable", "Lab stable", "Lab:${distro_codename}", "Lab:test*"]) {
      const options: AptOptions = [
        ["APT::Periodic::Unattended-Upgrade", "always"],
        ["unattended-upgrade::allowed-origins::mine", entry],
      ];
      expect([entry, moves(options) !== undefined]).toEqual([entry, entry.endsWith("stable")]);
    }
  });

  test.each<readonly [string, readonly (readonly [string, string])[]]>([
    ["has no interval", [["APT::Periodic::Unattended-Upgrade", ""]]],
    ["is switched off with the rest", [["APT::Periodic::Enable", "0"]]],
    ["excludes all that begin like it", [["Unattended-Upgrade::Package-Blacklist::", "svc"]]],
    ["takes others alone", [["Unattended-Upgrade::Package-Whitelist::", "linux-"]]],
  ])("leaves it alone where it %s", (_title, more) => {
    expect(moves(optionsWith("origin=Lab", ...more))).toBeUndefined();
  });

  test.each<readonly [string, readonly (readonly [string, string])[]]>([
    ["excludes by what is no expression", [["Unattended-Upgrade::Package-Blacklist::", "svc-ent("]]],
    ["takes it by name", [["Unattended-Upgrade::Package-Whitelist::", "svc-ent"]]],
  ])("moves it where it %s", (_title, more) => {
    expect(moves(optionsWith("origin=Lab", ...more))).toBe("origin=Lab");
  });

  test("never runs where nobody asked for it", () => {
    expect(moves([["Unattended-Upgrade::Origins-Pattern::", "origin=Lab"]])).toBeUndefined();
  });
});

import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { isHeldBy, withoutHolds } from "../../../../src/updater/package/zypper/unheld.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";

const agent = "svc-ent" as PackageName;

function lock(name: string, ...more: readonly string[]): string {
  return ["type: package", "match_type: glob", "case_sensitive: on", `solvable_name: ${name}`, ...more].join("\n");
}

describe("zypper's locks", () => {
  test.each([
    { title: "its name in other letters, where case does not count", text: lock("SVC-ENT").replace("on", "off") },
    { title: "a lock with a comment", text: lock("svc-ent", "comment: until: monday") },
    { title: "a lock with blanks around its words", text: "  type:   package  \n\tsolvable_name:svc-ent  " },
  ])("hold the package by $title", ({ text }) => {
    expect(isHeldBy(`\n${lock("before")}\n\n${text}\n\n`, agent)).toBe(true);
  });

  test.each([
    { title: "another's, with a word about it", text: lock("other", "comment: svc-ent") },
    { title: "its name in other letters", text: lock("SVC-ENT") },
    { title: "a pattern taken as it stands", text: lock("svc-*").replace("glob", "exact") },
    { title: "a patch of its name", text: lock("svc-ent").replace("package", "patch") },
  ])("do not hold it by $title", ({ text }) => {
    expect(isHeldBy(text, agent)).toBe(false);
    expect(withoutHolds(text, agent).trim()).toBe(text);
  });

  test("without those that hold the package are all the others, as they were", () => {
    const others = [lock("first"), lock("svc-ent", "version: >= 16"), lock("last", "repo: svc")];
    const [first = "", second = "", third = ""] = others;
    const text = ["", first, lock("svc-ent"), second, lock("svc-*"), third, ""].join("\n\n");
    expect(withoutHolds(text, agent)).toBe(`${others.join("\n\n")}\n`);
    expect(isHeldBy(withoutHolds(text, agent), agent)).toBe(false);
  });

  test("survive any text, and never hold once they are taken out", () => {
    assert(property(string(), (text) => !isHeldBy(withoutHolds(text, agent), agent)));
  });
});

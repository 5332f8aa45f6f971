import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePlan, versionsIn, type ZypperPlan } from "../../../../src/updater/package/zypper/plan.ts";
import { saved } from "../saved.ts";

const nothing: ZypperPlan = { removed: [], added: [], changed: [], revended: [], licensed: [] };

describe("what zypper would do", () => {
  test.each<[file: string, plan: Partial<ZypperPlan>]>([
    ["simulate-install", { added: ["svc-ent"] }],
    ["simulate-up", { changed: ["svc-ent"] }],
    ["simulate-older", { changed: ["svc-ent"] }],
    ["reinstall", { changed: ["svc-ent"] }],
    ["simulate-remove", { removed: ["companion"], changed: ["svc-ent"] }],
    ["simulate-bystander", { added: ["libbreaks", "provider"], changed: ["bystander", "svc-ent"] }],
    ["simulate-vendor", { changed: ["svc-ent"], revended: ["svc-ent"] }],
    ["simulate-licence", { changed: ["svc-ent"], licensed: ["svc-ent"] }],
    ["simulate-licence-of-another", { added: ["libeula"], changed: ["svc-ent"], licensed: ["libeula", "svc-ent"] }],
    ["simulate-older-without-flag", {}],
    ["simulate-there", {}],
    ["simulate-unmet", {}],
  ])("is read from %s", (file, plan) => {
    expect(parsePlan(saved(`zypper/${file}.txt`))).toEqual({ ...nothing, ...plan });
  });

  test("is told in rows where a width is known, and goes on over several lines where names are many", () => {
    const rows = "The following 2 packages are going to change vendor:\n  svc-ent  Lab -> Other\n  libfoo   Lab -> Other\n\n";
    expect(parsePlan(rows).revended).toEqual(["svc-ent", "libfoo"]);
    const lines =
      "The following 3 NEW packages are going to be installed:\n  libone libtwo\n  libthree\n\n1 package to upgrade, 3 new.\n";
    expect(parsePlan(lines).added).toEqual(["libone", "libtwo", "libthree"]);
  });

  test("counts what a later version may call by another word", () => {
    const output = "The following package is going to be transmogrified:\n  libfoo\n\n";
    expect(parsePlan(output)).toMatchObject({ changed: ["libfoo"] });
  });

  test("does not count what is merely recommended, suggested or locked", () => {
    const output = [
      "The following package is recommended, but will not be installed (only required packages will be installed):",
      "  libnew",
      "",
      "The following item is locked and will not be changed by any action:",
      " Installed:",
      "  libold",
      "",
    ].join("\n");
    expect(parsePlan(output)).toEqual(nothing);
  });

  test("tells the version of each of several packages, with a line of blanks behind each", () => {
    expect([...versionsIn(saved("zypper/simulate-set-details.txt"))]).toEqual(
      ["tri", "tri-bin", "tri-data", "tri-plug"].map((name) => [name, "15.4.6-1"]),
    );
  });

  test("ends where zypper says something else, or says nothing more", () => {
    const upgrade = "The following package is going to be upgraded:\n  svc-ent";
    expect(parsePlan(upgrade).changed).toEqual(["svc-ent"]);
    expect(parsePlan(`\n\n${upgrade}\n\n1 package to upgrade.\n`).changed).toEqual(["svc-ent"]);
    const details =
      "The following package is going to be REMOVED:\n  gone  1-1\n\nThe following package is going to be upgraded:\n  odd\n";
    expect([...versionsIn(details)]).toEqual([]);
  });

  test("is one row for each package where its name stands at the margin", () => {
    const rows = "The following 2 packages are going to be upgraded:\nsvc-ent\n  1-1 -> 2-1\nlibbar\n  1.0-1 -> 1.1-1\n\n";
    expect(parsePlan(rows).changed).toEqual(["svc-ent", "libbar"]);
    expect([...versionsIn(rows)]).toEqual([
      ["svc-ent", "2-1"],
      ["libbar", "1.1-1"],
    ]);
  });

  test("survives any text", () => {
    assert(property(string(), (text) => void parsePlan(`The following x is going to be ${text}:\n${text}`)));
  });
});

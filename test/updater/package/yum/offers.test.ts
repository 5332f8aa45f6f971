import { describe, expect, test } from "vitest";
import { orderOffers, parseOffers } from "../../../../src/updater/package/yum/offers.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { saved } from "../saved.ts";

const agent = "svc-ent" as PackageName;
const own = process.arch === "arm64" ? "aarch64" : "x86_64";
const equal = (): number => 99;

describe("what the repositories offer", () => {
  test("is ordered by rpm's rules, the higher version first", () => {
    expect(orderOffers(parseOffers(saved("yum/offered.txt"), agent), equal)).toEqual([
      "5:15.4.5-1",
      "17.3.0-1",
      "17.2.0-1",
      "17.1.0-1",
      "17.0.0-1",
      "16.5.0-1",
      "16.4.0-1",
      "16.3.0-1",
      "16.2.0-1",
      "16.1.0-1",
      "16.0.0-1",
      "15.4.7~rc.1-1",
      "15.4.6-2",
      "15.4.6-1",
      "15.4.5-1",
    ]);
  });

  test("puts the preferred repository first, and names a version once", () => {
    const offers = parseOffers(
      `svc-ent|0|15.4.6|2|${own}|mirror\nsvc-ent|0|15.4.6|1|${own}|svc\nsvc-ent|0|15.4.6|1|${own}|mirror\n`,
      agent,
    );
    expect(orderOffers(offers, (repository) => (repository === "svc" ? 10 : 99))).toEqual(["15.4.6-1", "15.4.6-2"]);
    expect(orderOffers(offers, equal)).toEqual(["15.4.6-2", "15.4.6-1"]);
  });

  test.each([
    ["another package that provides it", `other|0|15.4.6|1|${own}|svc`],
    ["another machine's", "svc-ent|0|15.4.6|1|i686|svc"],
    ["a version that is none", `svc-ent|0|$(id)|1|${own}|svc`],
  ])("leaves out %s", (_, line) => {
    expect(parseOffers(line, agent)).toEqual([]);
  });
});

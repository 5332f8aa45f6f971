import { hash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allRanks, kthSmallest, rankOf, stageBelow, stageFinder } from "../../../src/rules/rollout/membership.ts";
import { haltLimit, percentOf, portionOf, type StageSpec } from "../../../src/rules/rollout/spec.ts";
import { stagesOf } from "../../../src/rules/rollout/stage.ts";
import { version } from "../version/given.ts";
import { begun, canary, day, few, hostOf, hostsOf, rest, seen, specOf, start, target } from "./given.ts";

const sha256 = (text: string): string => hash("sha256", text);

test("a rank is the same everywhere, and another one for another target", () => {
  expect(rankOf("8f14e45f", target, sha256)).toBe(Number.parseInt(sha256("15.4.6\n8f14e45f").slice(0, 12), 16));
  expect(rankOf("8f14e45f", version("15.4.7"), sha256)).not.toBe(rankOf("8f14e45f", target, sha256));
  expect(rankOf("one", target, () => "f".repeat(64))).toBe(allRanks - 1);
});

test("the k-th smallest rank is the same as in a sorted list", () => {
  const rank = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: allRanks - 1 }));
  fc.assert(
    fc.property(fc.array(rank, { minLength: 1 }), fc.nat(), (ranks, drawn) => {
      const k = 1 + (drawn % ranks.length);
      const found = kthSmallest(ranks, k);
      expect(found).toBe(ranks.toSorted((left, right) => left - right)[k - 1]);
    }),
  );
});

test.each([
  [100, 5, 5],
  [100, 1, 1],
  [1000, 1.1, 11],
  [3, 34, 2],
])("of %d hosts %d percent are %d", (hosts, percent, wanted) => {
  expect(percentOf(percent, hosts)).toBe(wanted);
});

test("a share is at least one host, and a small stage halts at its first failure", () => {
  expect(portionOf({ kind: "percent", percent: 20 }, 1)).toBe(1);
  expect(portionOf({ kind: "count", count: 0 }, 10)).toBe(1);
  expect(portionOf({ kind: "count", count: 7 }, 10)).toBe(7);
  const limits = [1, 19, 20, 150, 151, 1000].map((hosts) => haltLimit({ kind: "percent", percent: 2 }, hosts, 3));
  expect(limits).toEqual([1, 1, 3, 3, 4, 20]);
});

describe("a percentage", () => {
  const below = (count: number, stage: StageSpec = few) => stageBelow(stage, [canary], seen(hostsOf(count)));
  const has = (count: number): number => {
    const threshold = below(count);
    return hostsOf(count).filter(({ rank }) => rank < threshold).length;
  };

  test.each([
    [1, 1],
    [19, 1],
    [20, 1],
    [21, 2],
    [1000, 50],
  ])("of %d hosts has %d", (hosts, wanted) => {
    expect(has(hosts)).toBe(wanted);
  });

  test("of no hosts is no host, and `others` has every rank", () => {
    expect([below(0), below(7, canary), below(0, rest)]).toEqual([0, 0, allRanks]);
  });

  test("counts hosts of the last day, and passes over those with the labels of an earlier stage", () => {
    const [first, second, third] = hostsOf(40).toSorted((left, right) => left.rank - right.rank);
    const labelled = { ...first!, labels: { env: "canary" } };
    const away = { ...second!, reported: start - day - 1 };
    const others = hostsOf(40).filter(({ id }) => id !== first!.id && id !== second!.id);
    expect(stageBelow(few, [canary, rest], seen([labelled, away, ...others]))).toBe(
      others.toSorted((left, right) => left.rank - right.rank)[1]!.rank + 1,
    );
    expect(stageBelow(few, [canary], seen([labelled, away, third!]))).toBe(third!.rank + 1);
    expect(stageBelow(few, [canary], seen([labelled]))).toBe(0);
  });
});

test("a host belongs to the first stage that selects it", () => {
  const anywhere: StageSpec = { ...canary, name: "zoned", select: { kind: "labels", labels: { zone: "*", env: "test" } } };
  const spec = specOf([canary, few, anywhere, rest]);
  const hosts = hostsOf(100).toSorted((left, right) => left.rank - right.rank);
  const stageOf = stageFinder(stagesOf(spec, begun(spec, seen(hosts))));
  const name = (index: number, labels: Readonly<Record<string, string>>) => stageOf({ ...hosts[index]!, labels })?.status.name;
  expect([name(0, {}), name(4, {}), name(5, {})]).toEqual(["few", "few", "rest"]);
  expect([name(0, { env: "canary" }), name(50, { env: "canary", zone: "a" })]).toEqual(["canary", "canary"]);
  expect([name(50, { env: "test", zone: "a" }), name(50, { env: "test" })]).toEqual(["zoned", "rest"]);
  expect(name(0, { env: "test", zone: "a" })).toBe("few");
  expect(stageFinder([])(hostOf("one"))).toBeUndefined();
});
